import { spawnSync } from 'node:child_process';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { parse } from 'yaml';
import { temporaryFolder } from '../support/temporaryFolder.ts';

const ROOT = new URL('../../', import.meta.url);
const FOLDER = new URL('.github/workflows/', ROOT);

interface Step {
  uses?: string;
  run?: string;
  if?: string;
  shell?: string;
  with?: Record<string, string | number>;
}
interface Job {
  needs?: string;
  if?: string;
  uses?: string;
  with?: Record<string, string>;
  environment?: string;
  permissions?: Record<string, string>;
  strategy?: { matrix: { script?: string[] } };
  steps?: Step[];
}
interface Workflow {
  on: Record<string, unknown>;
  permissions: Record<string, string>;
  jobs: Record<string, Job>;
}

const files = readdirSync(FOLDER);
const textOf = (file: string) => readFileSync(new URL(file, FOLDER), 'utf8');
const workflow = (file: string): Workflow => parse(textOf(file));

const { scripts: commands, engines } = JSON.parse(readFileSync(new URL('package.json', ROOT), 'utf8'));
const scripts = Object.keys(commands);

/** Whether a branch or a tag matches a pattern. Knows only what is used here of https://docs.github.com/actions/reference/workflow-syntax-for-github-actions */
const matches = (pattern: string, name: string) =>
  new RegExp(`^${pattern.replaceAll('.', '\\.')}$`).test(name) && !/[*?!]/.test(pattern);

/** Whether an expression about the ref holds. Such an expression is written as in JavaScript. */
const holds = (expression: string, ref: string): boolean =>
  new Function('github', 'startsWith', 'contains', `return ${expression.replace(/ == /g, ' === ')}`)(
    { ref },
    (text: string, start: string) => text.startsWith(start),
    (text: string, part: string) => text.includes(part),
  );

/** The stages that a push deploys. */
function deployedFrom(ref: string): string[] {
  const { on, jobs } = workflow('deploy.yml');
  const { branches, tags, ...others } = on.push as Record<'branches' | 'tags', string[]>;
  expect([Object.keys(on), others]).toEqual([['push'], {}]);
  const [, kind, name = ''] = /^refs\/(heads|tags)\/(.*)$/.exec(ref) ?? [];
  if (!(kind === 'heads' ? branches : tags).some((pattern) => matches(pattern, name))) return [];
  return Object.entries(jobs).flatMap(([stage, job]) => (job.if !== undefined && holds(job.if, ref) ? [stage] : []));
}

describe.each(files)('workflow %s', (file) => {
  const { on, permissions, jobs } = workflow(file);
  const steps = Object.values(jobs).flatMap((job) => job.steps ?? []);

  test('names actions by the hash of a commit, with the version in a comment', () => {
    const uses = textOf(file).match(/uses: .*/g) ?? [];
    for (const use of uses) {
      expect(use).toMatch(
        /^uses: (\.\/\.github\/workflows\/[\w-]+\.yml|[\w-]+\/[\w-]+@[0-9a-f]{40} # v\d+\.\d+\.\d+)$/,
      );
    }
  });

  test('may only read the repository and assume a role', () => {
    expect(permissions).toEqual({ contents: 'read' });
    for (const job of Object.values(jobs)) {
      const own = job.permissions ?? { contents: 'read' };
      expect([{ contents: 'read' }, { contents: 'read', 'id-token': 'write' }]).toContainEqual(own);
      if (own['id-token']) expect(file).toMatch(/^deploy/);
    }
    expect(Object.keys(on)).not.toContain('pull_request_target');
  });

  test('has no expression in a script: its value would be run as code', () => {
    for (const { run = '' } of steps) expect(run).not.toContain('${{');
  });

  test('runs existing npm scripts', () => {
    const called = steps.flatMap(({ run = '' }) => run.match(/npm run [\w:]+/g) ?? []);
    for (const call of called) expect(scripts).toContain(call.replace('npm run ', ''));
  });
});

describe('the workflows together', () => {
  test('run nothing before a deployment that .ci/run does not run, and look for vulnerable packages', () => {
    const { jobs } = workflow('check.yml');
    expect(jobs.audit?.steps?.map(({ run }) => run)).toContain('npm audit --omit=dev');
    const given = Object.values(jobs).flatMap(({ strategy }) => strategy?.matrix.script ?? []);
    const run = Object.values(jobs).flatMap(({ steps = [] }) => steps.flatMap((step) => step.run?.split(' ') ?? []));
    const names = [...given, ...run.flatMap((word, i) => (run[i - 1] === 'run' && word !== '"$SCRIPT"' ? [word] : []))];
    // This script only calls others.
    const expand = (name: string): string[] =>
      name === 'check' ? [...commands[name].matchAll(/npm (?:run )?([\w:]+)/g)].map(([, part]) => part) : [name];
    const local = readFileSync(new URL('.ci/run', ROOT), 'utf8');
    const needed = [...new Set(names.flatMap(expand))];
    expect(needed).toEqual(expect.arrayContaining(['rehearse', 'lint:templates', 'test', 'types']));
    expect(needed.filter((name) => !new RegExp(`npm (run )?${name}(?![\\w:-])`).test(local))).toEqual([]);
    expect(local).toContain('npm audit --omit=dev');
  });

  test('check pull requests', () => {
    const { on, jobs } = workflow('check.yml');
    expect(Object.keys(on)).toContain('pull_request');
    expect(jobs.test?.steps?.map(({ run }) => run)).toContain('npm run check');
  });

  test('deploy each stage after the check', () => {
    const { jobs } = workflow('deploy.yml');
    expect(jobs.check?.uses).toBe('./.github/workflows/check.yml');
    const { check: _, ...stages } = jobs;
    expect(Object.keys(stages)).toEqual(['dev', 'staging', 'prod']);
    for (const [stage, job] of Object.entries(stages)) {
      expect(job).toMatchObject({ needs: 'check', uses: './.github/workflows/deploy-stage.yml', with: { stage } });
    }
  });

  test.each([
    ['refs/heads/main', ['dev']],
    ['refs/tags/v1.2.0-rc.1', ['staging']],
    ['refs/tags/v10.20.30-rc.12', ['staging']],
    ['refs/tags/v1.2.0', ['prod']],
    ['refs/tags/v10.20.30', ['prod']],
    ['refs/heads/v1.2.0', []],
    ['refs/heads/feature', []],
    ['refs/tags/main', []],
    ['refs/tags/v1.2', []],
    ['refs/tags/v1.2.0-beta.1', []],
    ['refs/tags/v1.2.0-rc', []],
    ['refs/tags/v1.2.0-rc.1-2', []],
    ['refs/tags/v1.2.0.1', []],
    ['refs/tags/x-v1.2.0', []],
    ['refs/tags/v1x2x0', []],
  ])('deploy %s to %j', (ref, stages) => {
    expect(deployedFrom(ref)).toEqual(stages);
  });

  test('deploy with the role of the environment, by the command that tests the stage and goes back from a bad version', () => {
    const { deploy } = workflow('deploy-stage.yml').jobs;
    expect(deploy?.environment).toBe('${{ inputs.stage }}');
    const order = deploy?.steps?.map(({ uses, run }) => uses?.split('@')[0] ?? run?.split(' --')[0]) ?? [];
    const [role = -1, deployed] = ['aws-actions/configure-aws-credentials', 'npm run deploy'].map((step) =>
      order.indexOf(step),
    );
    expect(role).toBeGreaterThan(0);
    expect(deployed).toBe(order.length - 1);
    expect(deployed).toBeGreaterThan(role);
  });
});

describe('the nightly run', () => {
  const folder = temporaryFolder();
  const env = { PATH: `${folder}:${process.env.PATH}`, SCRIPT: 'any', GITHUB_STEP_SUMMARY: join(folder, 'summary') };

  /** As GitHub runs a script. */
  const isWell = ({ run = '', shell }: Step) => {
    const options = shell === 'bash' ? ['-eo', 'pipefail'] : ['-e'];
    return spawnSync('bash', [...options, '-c', run], { cwd: folder, env }).status === 0;
  };

  test.each([
    ['passes', 0],
    ['fails', 1],
  ])('that %s has the end of its output as its summary', (_, code) => {
    writeFileSync(join(folder, 'npm'), `#!/bin/sh\necho "the score"\nexit ${code}\n`, { mode: 0o755 });
    writeFileSync(env.GITHUB_STEP_SUMMARY, '');
    const steps = workflow('nightly.yml').jobs.long?.steps?.filter(({ run }) => run && run !== 'npm ci') ?? [];
    let hasFailed = false;
    for (const step of steps) if ((!hasFailed || step.if === 'always()') && !isWell(step)) hasFailed = true;
    expect(hasFailed).toBe(code !== 0);
    expect(readFileSync(env.GITHUB_STEP_SUMMARY, 'utf8')).toBe('```\nthe score\n```\n');
  });
});

/** `^22.13` means this major version from 22.13 on, `>=24` every version from 24 on. */
const ranges = [...(engines.node as string).matchAll(/(\^|>=)(\d+)(\.\d+)*/g)].map(([range, kind, major]) => ({
  versions: range.slice(kind?.length),
  has: (version: number) => (kind === '^' ? version === Number(major) : version >= Number(major)),
}));

/** The numbers after the first "Node" with a number, such as "Node 20.19, 22.13, or 24 and newer". */
function namedAfterNode(file: string): string[] {
  const [, names = ''] =
    readFileSync(new URL(file, ROOT), 'utf8').match(/\bNode:? (\d[\d.]*(?:(?:, or |, | or | and )\d[\d.]*)*)/) ?? [];
  return names.match(/\d+(?:\.\d+)*/g) ?? [];
}

test('the versions of Node that npm accepts, that are checked, deployed and documented are the same', () => {
  const steps = workflow('check.yml').jobs.test?.steps ?? [];
  const checked = steps.flatMap((step) => step.with?.['node-version'] ?? []).map(Number);
  const accepted = ranges.map(({ versions }) => versions);
  expect(accepted.join(' || ')).toBe(engines.node.replaceAll(/\^|>=/g, ''));
  for (const file of ['README.md', 'CONTRIBUTING.md']) expect(namedAfterNode(file), file).toEqual(accepted);
  const unchecked = ranges.filter(({ has }) => !checked.some(has));
  expect(unchecked.map(({ versions }) => `${versions} is not checked by check.yml`)).toEqual([]);
  const refused = checked.filter((version) => !ranges.some(({ has }) => has(version)));
  expect(refused.map((version) => `${version} is refused by npm`)).toEqual([]);
  expect(namedAfterNode('docs/deployment.md').map(Number)).toEqual(checked);
  const [, runtime] = readFileSync(new URL('serverless.yml', ROOT), 'utf8').match(/runtime: nodejs(\d+)\.x/) ?? [];
  expect(checked).toContain(Number(runtime));
});

test('Dependabot updates the packages of a project together, even to another major version', () => {
  interface Updates {
    groups: Record<string, { patterns: string[]; 'update-types'?: string[] }>;
  }
  const { updates }: { updates: Updates[] } = parse(readFileSync(new URL('.github/dependabot.yml', ROOT), 'utf8'));
  const { dependencies, devDependencies } = JSON.parse(readFileSync(new URL('package.json', ROOT), 'utf8'));
  const groups = Object.values(updates[0]?.groups ?? {}).filter((group) => !group['update-types']);
  const isTogether = (scope: string) => groups.some(({ patterns }) => patterns.includes(`${scope}/*`));
  const scopes = Object.keys({ ...dependencies, ...devDependencies }).flatMap((name) => /^@[^/]+/.exec(name) ?? []);
  const several = scopes.filter((scope, i) => scopes.indexOf(scope) !== i && scope !== '@types');
  expect(several.filter((scope) => !isTogether(scope))).toEqual([]);
  expect(several).toContain('@middy');
});

describe('the settings of a deployment', () => {
  test('that the documentation names are all passed on by the workflow', () => {
    const documented = [...readFileSync(new URL('docs/deployment.md', ROOT), 'utf8').matchAll(/^\| (`[^|]*`) \|/gm)]
      .flatMap(([, names = '']) => names.match(/[A-Z_]+/g) ?? [])
      .filter((name) => name !== 'AWS_REGION');
    expect(documented).toEqual([
      'OIDC_ISSUER',
      'OIDC_AUDIENCE',
      'OIDC_SCOPE_PREFIX',
      'ADMIN_CLIENT_ID',
      'CORS_ORIGINS',
      'ALARM_EMAIL',
      'PERMISSIONS_BOUNDARY',
      'KMS_KEY',
      'DOMAIN_NAME',
      'USERS_TABLE',
      'DIRECTORY_TABLE',
      'USERS_STREAM',
    ]);
    for (const name of documented)
      expect(textOf('deploy-stage.yml')).toMatch(new RegExp(`${name}: \\$\\{\\{ vars.${name}`));
  });
});

describe('the commands of the documentation', () => {
  const docs = readdirSync(new URL('docs/', ROOT)).filter((name) => /\.(md|yml)$/.test(name));

  test.each(docs)('in %s name the region, or come after a command that sets it', (name) => {
    const text = readFileSync(new URL(`docs/${name}`, ROOT), 'utf8').replaceAll('\\\n', '');
    const [before = ''] = text.split('export AWS_REGION=');
    const commands = before.match(/^.*\baws [a-z]+ [a-z][^`\n]*/gm) ?? [];
    expect(commands.filter((command) => !command.includes('--region'))).toEqual([]);
  });
});
