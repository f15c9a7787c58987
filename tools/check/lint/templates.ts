/**
 * `npm run lint:templates`: checks the templates of all stages, and the templates that are written by hand, with cfn-lint, and that
 * actions.json has what its schemas say of all types in them. With `--write` it writes that file. Needs Python.
 */
import { execFileSync } from 'node:child_process';
import { globSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { buildDoor } from '../../doors/deployment.ts';
import { doorNames, findDoor } from '../../doors/doors.ts';
import { FLAG, readOptions } from '../../program/options.ts';
import { findPython, run, runCheck } from '../prerequisites.ts';
import { copyShell } from '../projectCopy.ts';

const USAGE = `Usage: npm run lint:templates
  --write  writes the actions for resources of each type, where they differ
Needs Python.`;

const REQUIREMENTS = join(import.meta.dirname, 'requirements.txt');

/** The actions for resources of each type that stages and doors have. Tests compare them with the roles for deployments. */
const ACTIONS = join(import.meta.dirname, 'actions.json');

/** Settings of a deployment with all parts. */
const ISSUER = {
  OIDC_ISSUER: 'https://id.example.com',
  OIDC_AUDIENCE: 'users',
  ALARM_EMAIL: 'ops@example.com',
  CORS_ORIGINS: 'https://a.example.com',
};

const KEY = 'arn:aws:kms:eu-central-1:123456789012:key/1234abcd-12ab-34cd-56ef-1234567890ab';

const STAGES = {
  dev: { OIDC_ISSUER: 'none' },
  encrypted: { OIDC_ISSUER: 'none', KMS_KEY: KEY },
  staging: ISSUER,
  prod: { ...ISSUER, ADMIN_CLIENT_ID: 'admin', DOMAIN_NAME: 'users.example.com' },
};

/** The program, with what no stage has unless it is set. */
const PACKAGE = [
  'node_modules/serverless/bin/serverless.js',
  'package',
  '--param',
  'events=true',
  '--param',
  'dashboard=true',
];

/** The templates that CloudFormation takes as they are. */
const STACKS = ['tools/deploy/stacks/*.yml'];
const DOORS = ['doors/secret.yml', 'doors/*/{secret,template}.yml'];

/** The program that the command of cfn-lint runs. */
const LINT = 'import cfnlint.runner, sys; cfnlint.runner.main()';

/** @returns the paths of the templates */
function packageStages(folder: string, cwd: string): string[] {
  return Object.entries(STAGES).map(([stage, settings]) => {
    const target = join(folder, stage);
    const options = [...PACKAGE, '--stage', stage, '--package', target];
    execFileSync(process.execPath, options, { cwd, env: { ...process.env, ...settings }, stdio: 'inherit' });
    return join(target, 'cloudformation-template-update-stack.json');
  });
}

/** @returns the paths of the templates of doors with code */
async function packageDoors(): Promise<string[]> {
  const templates: string[] = [];
  // One after another: each runs the framework.
  for (const door of doorNames()
    .map(findDoor)
    .filter(({ isCoded }) => isCoded)) {
    templates.push(join(await buildDoor(door), 'cloudformation-template-update-stack.json'));
  }
  return templates;
}

/** The type of a resource, in JSON or in YAML. */
const TYPE = /\bType"?: ?"?(AWS::\w+::\w+)/g;

const typesIn = (templates: readonly string[]): string[] =>
  [
    ...new Set(
      templates.flatMap((file) => [...readFileSync(file, 'utf8').matchAll(TYPE)].map(([, type = '']) => type)),
    ),
  ].sort();

/** Compares actions.json with the schemas that cfn-lint has, or writes it. @throws {Error} when they differ */
function checkActions(python: string, stages: readonly string[], doors: readonly string[], isWriting: boolean): void {
  const types = { stage: typesIn(stages), doors: typesIn(doors) };
  const all = [...new Set([...types.stage, ...types.doors])];
  const answer = execFileSync(python, [join(import.meta.dirname, 'actions.py'), ...all], { encoding: 'utf8' });
  const { source, ...known } = JSON.parse(readFileSync(ACTIONS, 'utf8'));
  const wanted = { ...types, actions: JSON.parse(answer) };
  if (isWriting) writeFileSync(ACTIONS, `${JSON.stringify({ source, ...wanted }, null, 2)}\n`);
  else if (!isDeepStrictEqual(known, wanted))
    throw new Error(
      'tools/check/lint/actions.json differs from the templates or the schemas: npm run lint:templates -- --write',
    );
}

async function lint(): Promise<number> {
  const { write = false } = readOptions({ write: FLAG }, USAGE);
  const python = findPython('The check of the templates', 'no template was checked', REQUIREMENTS, '.local/lint');
  const folder = mkdtempSync(join(tmpdir(), 'templates-'));
  const project = copyShell();
  try {
    const stages = packageStages(folder, project.root);
    const doors = [...(await packageDoors()), ...globSync(DOORS)];
    const templates = [...stages, ...doors, ...globSync(STACKS)];
    run(python, '-c', LINT, ...templates);
    checkActions(python, stages, doors, write);
    process.stdout.write(`${templates.length} templates were checked: cfn-lint finds nothing.\n`);
  } finally {
    rmSync(folder, { recursive: true, force: true });
    project.remove();
  }
  return 0;
}

runCheck(lint);
