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

const read = (file: string) => readFileSync(new URL(file, ROOT), 'utf8');
const files = readdirSync(FOLDER);
const textOf = (file: string) => readFileSync(new URL(file, FOLDER), 'utf8');
const workflow = (file: string): Workflow => parse(textOf(file));

const { scripts, engines, dependencies, devDependencies } = JSON.parse(read('package.json'));

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
    const [local, action] = [/\.\/\.github\/workflows\/[\w-]+\.yml/, /[\w-]+\/[\w-]+@[0-9a-f]{40} # v\d+\.\d+\.\d+/];
    const named = new RegExp(`^uses: (${local.source}|${action.source})$`);
    expect((textOf(file).match(/uses: .*/g) ?? []).filter((use) => !named.test(use))).toEqual([]);
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
    const called = steps.flatMap(({ run = '' }) => run.match(/(?<=npm run )[\w:]+/g) ?? []);
    expect(called.filter((name) => !(name in scripts))).toEqual([]);
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
      name === 'check' ? [...scripts[name].matchAll(/npm (?:run )?([\w:]+)/g)].map(([, part]) => part) : [name];
    const local = read('.ci/run');
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

test('the versions of Node that npm accepts, that are checked, deployed and documented are the same', () => {
  const namedIn = (file: string) => read(file).match(/\bNode:? (\d[\d.]*\d)/)?.[1];
  const accepted = engines.node.replace('>=', '');
  for (const file of ['README.md', 'CONTRIBUTING.md']) expect(namedIn(file), file).toBe(accepted);
  const steps = workflow('check.yml').jobs.test?.steps ?? [];
  const [checked = 0] = steps.flatMap((step) => step.with?.['node-version'] ?? []);
  expect(Number(checked)).toBeGreaterThanOrEqual(Number.parseFloat(accepted));
  expect(namedIn('docs/deployment.md')).toBe(String(checked));
  expect(read('serverless.yml')).toContain(`runtime: nodejs${checked}.x`);
});

test('Dependabot updates the packages of a project together, even to another major version', () => {
  interface Updates {
    groups: Record<string, { patterns: string[]; 'update-types'?: string[] }>;
  }
  const { updates }: { updates: Updates[] } = parse(read('.github/dependabot.yml'));
  const groups = Object.values(updates[0]?.groups ?? {}).filter((group) => !group['update-types']);
  const together = groups.flatMap(({ patterns }) => patterns);
  const scopes = Object.keys({ ...dependencies, ...devDependencies }).flatMap((name) => /^@[^/]+/.exec(name) ?? []);
  const several = scopes.filter((scope, i) => scopes.indexOf(scope) !== i && scope !== '@types');
  expect(several).toContain('@middy');
  expect(together).toEqual(expect.arrayContaining(several.map((scope) => `${scope}/*`)));
});

test('the settings of a deployment that the documentation names are all passed on by the workflow', () => {
  const documented = [...read('docs/deployment.md').matchAll(/^\| (`[^|]*`) \|/gm)]
    .flatMap(([, names = '']) => names.match(/[A-Z_]+/g) ?? [])
    .filter((name) => name !== 'AWS_REGION');
  expect(documented).toHaveLength(12);
  for (const name of documented)
    expect(textOf('deploy-stage.yml')).toMatch(new RegExp(`${name}: \\$\\{\\{ vars.${name}`));
});

const docs = readdirSync(new URL('docs/', ROOT)).filter((name) => /\.(md|yml)$/.test(name));

test.each(docs)('the commands in docs/%s name the region, or come after a command that sets it', (name) => {
  const text = read(`docs/${name}`).replaceAll('\\\n', '');
  const [before = ''] = text.split('export AWS_REGION=');
  const commands = before.match(/^.*\baws [a-z]+ [a-z][^`\n]*/gm) ?? [];
  expect(commands.filter((command) => !command.includes('--region'))).toEqual([]);
});
