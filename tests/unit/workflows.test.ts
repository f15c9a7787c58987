import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { parse } from 'yaml';

const ROOT = new URL('../../', import.meta.url);
const FOLDER = new URL('.github/workflows/', ROOT);

interface Step {
  uses?: string;
  run?: string;
  with?: Record<string, string | number>;
}
interface Job {
  needs?: string;
  if?: string;
  uses?: string;
  with?: Record<string, string>;
  environment?: string;
  permissions?: Record<string, string>;
  strategy?: { matrix: { node?: number[] } };
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

describe.each(files)('workflow %s', (file) => {
  const { on, permissions, jobs } = workflow(file);
  const steps = Object.values(jobs).flatMap((job) => job.steps ?? []);

  test('uses actions by the hash of a commit, with the version beside it', () => {
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

  test('has no expression in a script, where its value would be code', () => {
    for (const { run = '' } of steps) expect(run).not.toContain('${{');
  });

  test('runs existing npm scripts', () => {
    const called = steps.flatMap(({ run = '' }) => run.match(/npm run [\w:]+/g) ?? []);
    for (const call of called) expect(scripts).toContain(call.replace('npm run ', ''));
  });
});

describe('the workflows together', () => {
  test('check pull requests', () => {
    const { on, jobs } = workflow('check.yml');
    expect(Object.keys(on)).toContain('pull_request');
    expect(jobs.test?.steps?.map(({ run }) => run)).toContain('npm run check');
  });

  test('deploy dev from main and prod from tags, after the check', () => {
    const { on, jobs } = workflow('deploy.yml');
    expect(on).toEqual({ push: { branches: ['main'], tags: ['v*'] } });
    expect(jobs.check?.uses).toBe('./.github/workflows/check.yml');
    const stages = { dev: "github.ref == 'refs/heads/main'", prod: "startsWith(github.ref, 'refs/tags/v')" };
    for (const [stage, condition] of Object.entries(stages)) {
      expect(jobs[stage]).toMatchObject({
        needs: 'check',
        if: condition,
        uses: './.github/workflows/deploy-stage.yml',
        with: { stage },
      });
    }
  });

  test('deploy with the role of the environment, then run the smoke test', () => {
    const { deploy } = workflow('deploy-stage.yml').jobs;
    expect(deploy?.environment).toBe('${{ inputs.stage }}');
    const order = deploy?.steps?.map(({ uses, run }) => uses?.split('@')[0] ?? run?.split(' --')[0]) ?? [];
    const [role, deployed, tried] = [
      'aws-actions/configure-aws-credentials',
      'npx serverless deploy',
      'npm run smoke',
    ].map((step) => order.indexOf(step));
    expect([role, deployed, tried]).toEqual([role, deployed, tried].toSorted((a = 0, b = 0) => a - b));
    expect(role).toBeGreaterThan(0);
  });
});

/** `^22.13` is one version with what follows it, `>=24` every version from there on. */
const ranges = [...(engines.node as string).matchAll(/(\^|>=)(\d+)(\.\d+)*/g)].map(([range, kind, major]) => ({
  versions: range.slice(kind?.length),
  has: (version: number) => (kind === '^' ? version === Number(major) : version >= Number(major)),
}));

/** The numbers after the first "Node" that is followed by one, such as "Node 20.19, 22.13, or 24 and newer". */
function namedAfterNode(file: string): string[] {
  const [, names = ''] =
    readFileSync(new URL(file, ROOT), 'utf8').match(/\bNode:? (\d[\d.]*(?:(?:, or |, | or | and )\d[\d.]*)*)/) ?? [];
  return names.match(/\d+(?:\.\d+)*/g) ?? [];
}

describe('the versions of Node', () => {
  const { strategy, steps = [] } = workflow('check.yml').jobs.test ?? {};
  const set = steps.flatMap((step) => step.with?.['node-version'] ?? []);
  const checked = strategy?.matrix.node ?? set.map(Number);

  test.each(['README.md', 'CONTRIBUTING.md'])('that %s names are those that npm accepts', (file) => {
    expect(ranges.map(({ versions }) => versions).join(' || ')).toBe(engines.node.replaceAll(/\^|>=/g, ''));
    expect(namedAfterNode(file)).toEqual(ranges.map(({ versions }) => versions));
  });

  test('that npm accepts are all checked, and no others', () => {
    const unchecked = ranges.filter(({ has }) => !checked.some(has));
    expect(unchecked.map(({ versions }) => `${versions} is not checked by check.yml`)).toEqual([]);
    const refused = checked.filter((version) => !ranges.some(({ has }) => has(version)));
    expect(refused.map((version) => `${version} is refused by npm`)).toEqual([]);
  });

  test('that are checked are named in the documentation, and one of them is deployed', () => {
    expect(namedAfterNode('docs/deployment.md').map(Number)).toEqual(checked);
    const [, runtime] = readFileSync(new URL('serverless.yml', ROOT), 'utf8').match(/runtime: nodejs(\d+)\.x/) ?? [];
    expect(checked).toContain(Number(runtime));
  });
});

describe('the settings of a deployment', () => {
  test('in the documentation are all passed on by the workflow', () => {
    const documented = [...readFileSync(new URL('docs/deployment.md', ROOT), 'utf8').matchAll(/^\| (`[^|]*`) \|/gm)]
      .flatMap(([, names = '']) => names.match(/[A-Z_]+/g) ?? [])
      .filter((name) => name !== 'AWS_REGION');
    expect(documented).toEqual([
      'OIDC_ISSUER',
      'OIDC_AUDIENCE',
      'OIDC_SCOPE_PREFIX',
      'CORS_ORIGINS',
      'ALARM_EMAIL',
      'PERMISSIONS_BOUNDARY',
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

  test.each(docs)('in %s name the region, or set it before', (name) => {
    const text = readFileSync(new URL(`docs/${name}`, ROOT), 'utf8').replaceAll('\\\n', '');
    const [before = ''] = text.split('export AWS_REGION=');
    const commands = before.match(/^.*\baws [a-z]+ [a-z][^`\n]*/gm) ?? [];
    expect(commands.filter((command) => !command.includes('--region'))).toEqual([]);
  });
});
