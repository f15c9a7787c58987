import { spawnSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { platform } from 'node:os';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { VERSION } from '../../lib/http/api.ts';
import { ROOT, read, readYaml, SCRIPTS } from '../support/files.ts';
import { temporaryFolder } from '../support/programs.ts';

const FOLDER = '.github/workflows';

interface Job {
  needs?: string | string[];
  if?: string;
  permissions?: Record<string, string>;
  strategy?: { matrix: { script?: string[]; node?: string[] } };
  steps?: { run?: string }[];
}
interface Workflow {
  on: Record<string, unknown>;
  permissions: Record<string, string>;
  jobs: Record<string, Job>;
}

const textOf = (file: string) => read(`${FOLDER}/${file}`);
const workflow = (file: string): Workflow => readYaml(`${FOLDER}/${file}`);
const stepsIn = (jobs: Workflow['jobs']) => Object.values(jobs).flatMap(({ steps = [] }) => steps);

describe.each(readdirSync(join(ROOT, FOLDER)))('workflow %s', (file) => {
  const { on, permissions, jobs } = workflow(file);

  test('names actions by the hash of a commit, and may only read, assume a role, and publish a release', () => {
    const named = /^uses: (\.\/\.github\/workflows\/[\w-]+\.yml|[\w-]+\/[\w-]+@[0-9a-f]{40} # v\d+\.\d+\.\d+)$/;
    expect((textOf(file).match(/uses: .*/g) ?? []).filter((use) => !named.test(use))).toEqual([]);
    expect([permissions, Object.keys(on)]).toEqual([
      { contents: 'read' },
      expect.not.arrayContaining(['pull_request_target']),
    ]);
    const more = Object.entries(jobs).flatMap(([name, { permissions: own = {} }]) =>
      Object.entries(own).map(([what, right]) => `${what} ${right} ${name}`),
    );
    const may =
      /^contents read|^contents write (release|tag)$|^actions write tag$|^id-token write (dev|staging|prod|deploy|drill|first-stage)$/;
    expect(more.filter((right) => !may.test(right))).toEqual([]);
  });

  test('runs existing npm scripts, and no value of an expression as code', () => {
    const run = stepsIn(jobs).map((step) => step.run ?? '');
    expect(run.filter((script) => script.includes('${{'))).toEqual([]);
    const called = run.flatMap((script) => script.match(/(?<=npm run )[\w:-]+/g) ?? []);
    expect(called.filter((name) => !(name in SCRIPTS))).toEqual([]);
  });
});

test('nothing is checked before a deployment that .ci/run does not check, too', () => {
  const { jobs } = workflow('check.yml');
  const given = Object.values(jobs).flatMap(({ strategy }) => strategy?.matrix.script ?? []);
  const checked = [...String(SCRIPTS.check).matchAll(/npm (?:run )?([\w:]+)/g)].map(([, name]) => name);
  expect(stepsIn(jobs).map(({ run }) => run)).toContain('npm run check');
  const local = read('.ci/run');
  const missing = [...given, ...checked].filter((name) => !new RegExp(`npm (run )?${name}(?![\\w:-])`).test(local));
  expect([given.length > 3, checked.length > 2, missing]).toEqual([true, true, []]);
});

test('the service is tested on the oldest Node of package.json, on the deployed one, and on a newer one, as README.md says', () => {
  const nodes = workflow('check.yml').jobs.nodes;
  const [oldest = '', newest = ''] = nodes?.strategy?.matrix.node ?? [];
  const deployed = /^nodejs(\d+)\.x$/.exec(readYaml('serverless.yml').provider.runtime)?.[1];
  const first = oldest.replace(/\.0$/, '');
  expect(JSON.parse(read('package.json')).engines.node).toBe(`>=${first}`);
  expect(Number(newest)).toBeGreaterThan(Number(deployed));
  expect(read('README.md')).toContain(`on Node ${first}, ${deployed} and ${newest},`);
  // npm puts the Node that it installs before all others.
  expect(nodes?.steps?.at(-2)?.run).toMatch(/^rm node_modules\/\.bin\/node$/m);
  expect(nodes?.steps?.at(-1)?.run).toBe('npm test');
});

test('the integration tests that are repeated on other stores exist', () => {
  const names = [...read('tests/integration/store/reaching.txt').matchAll(/^[a-z][\w/]*/gim)].map(([name]) => name);
  expect(names.length).toBeGreaterThan(8);
  expect(names.filter((name) => !existsSync(join(ROOT, `tests/integration/${name}.test.ts`)))).toEqual([]);
});

test('each stage is deployed after the check, from its own branch or tags', () => {
  const { check: _, release: __, ...stages } = workflow('deploy.yml').jobs;
  expect(Object.entries(stages).map(([stage, { needs, if: from }]) => [stage, needs, from])).toEqual([
    ['dev', 'check', "github.ref == 'refs/heads/main'"],
    ['staging', ['check', 'release'], "startsWith(github.ref, 'refs/tags/v') && contains(github.ref, '-rc.')"],
    ['prod', ['check', 'release'], "startsWith(github.ref, 'refs/tags/v') && !contains(github.ref, '-')"],
  ]);
});

const folder = temporaryFolder();

// The bash that Windows finds first is another system's.
test.runIf(platform() !== 'win32')(
  'only a tag with the version of package, lock file, API and Server is released, with its notes in the changelog',
  () => {
    const { version } = JSON.parse(read('package.json'));
    const [, newest, notes = ''] = read('CHANGELOG.md').match(/^## (\S+) \(\d{4}-\d\d-\d\d\)\n(.*?)^## /ms) ?? [];
    expect([newest, JSON.parse(read('package-lock.json')).version, VERSION]).toEqual([version, version, version]);
    const [, step] = workflow('deploy.yml').jobs.release?.steps ?? [];
    const env = { ...process.env, RUNNER_TEMP: folder, GITHUB_REPOSITORY: 'a/b' };
    const run = (TAG: string) =>
      spawnSync('bash', ['-ec', step?.run ?? ''], { cwd: ROOT, env: { ...env, TAG } }).status;
    expect([run('v0.0.1'), run(`v${version}-rc.3`)]).toEqual([1, 0]);
    const whole = notes.replaceAll(/\]\((?!https:)/g, `](https://github.com/a/b/blob/v${version}-rc.3/`);
    expect(readFileSync(`${folder}/notes.md`, 'utf8')).toBe(whole);
  },
);

test.runIf(platform() !== 'win32')(
  'the next candidate is the newest commit, and a release the newest candidate; the tag is deployed',
  () => {
    const repository = `${folder}/tags`;
    const gh = 'gh() { echo "$@"; }';
    const commit = 'git -c user.name=a -c user.email=a@b.example commit --allow-empty -qm a';
    const tagged = `git init -q ${repository}; cd ${repository}; echo '{"version":"1.2.0"}' > package.json
      ${commit}; git tag v1.2.0-rc.1; git tag v1.1.0-rc.3; ${commit}; git tag v1.2.0-rc.2; git rev-parse HEAD; ${commit}`;
    const bash = (script: string, CANDIDATE = '') =>
      spawnSync('bash', ['-ec', `${gh}; ${script}`], {
        env: { ...process.env, GITHUB_REPOSITORY: 'a/b', GITHUB_SHA: 'c0ffee', CANDIDATE },
        encoding: 'utf8',
      }).stdout;
    const candidate = bash(tagged).trim();
    const script = `cd ${repository}; ${workflow('release.yml').jobs.tag?.steps?.[1]?.run}`;
    const calls = (tag: string, sha: string) =>
      `api repos/a/b/git/refs -f ref=refs/tags/${tag} -f sha=${sha}\nworkflow run deploy.yml --repo a/b --ref ${tag}\n`;
    expect(bash(script, 'true')).toBe(calls('v1.2.0-rc.3', 'c0ffee'));
    expect(bash(script, 'false')).toBe(calls('v1.2.0', candidate));
  },
);

test('the settings of a deployment that the documentation names are all passed on by the workflow', () => {
  const rows = [...read('docs/deployment.md').matchAll(/^\| (`[^|]*`) \|/gm)];
  const documented = rows.flatMap(([, names = '']) => names.match(/[A-Z_]+/g) ?? []);
  expect(documented.length).toBeGreaterThan(11);
  const isPassed = (name: string) => textOf('deploy-stage.yml').includes(`\${{ vars.${name}`);
  expect(documented.filter((name) => !isPassed(name))).toEqual([]);
});
