import { readFileSync, writeFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { deployTested, type StageActions, type Verdict } from '../../../../tools/operate/deployment.ts';
import { isSettled, versionIn } from '../../../../tools/operate/stages.ts';
import { folderForTest, runProgram, serveForTest } from '../../../support/programs.ts';

const FIRST = '2026-11-18T10:26:40.000Z';
const SECOND = '2026-11-19T10:26:40.000Z';

interface Fate {
  /** The version that the stage runs before it. */
  before?: string;
  /** Whether the command that deploys succeeds. */
  deploys?: boolean;
  /** The version that the stage runs after it. */
  now?: string | undefined;
  /** The verdicts of the smoke tests. */
  tests?: Verdict[];
  /** In milliseconds. */
  testLasts?: number;
  /** Whether the command that rolls back succeeds. */
  rollsBack?: boolean;
  /** The version that the stage runs after that. */
  afterwards?: string | undefined;
}

/** Deploys a stage with this fate. `done` has the steps in their order. */
async function deployed(fate: Fate) {
  const usual = { deploys: true, now: SECOND, testLasts: 0, rollsBack: true, afterwards: fate.before };
  const { before, deploys, now, tests, testLasts, rollsBack, afterwards } = { ...usual, ...fate };
  const verdicts = [...(tests ?? ['passed'])];
  const done: string[] = [];
  let time = 0;
  const pass = async (milliseconds: number): Promise<void> => {
    time += milliseconds;
  };
  const step = async <Outcome>(what: string, outcome: Outcome): Promise<Outcome> => {
    done.push(what);
    return outcome;
  };
  const actions: StageActions = {
    version: async () =>
      done.length === 0 ? before : done.some((what) => what.startsWith('rollback')) ? afterwards : now,
    deploy: () => step('deploy', deploys),
    test: () => pass(testLasts).then(() => step('test', verdicts.shift() ?? 'failed')),
    rollback: (to) => step(`rollback to ${to}`, rollsBack),
  };
  const [isWell, sentence] = await deployTested('prod', actions, { monotonic: () => time, sleep: pass });
  return { isWell, sentence, done };
}

/** The smoke tests of half a minute, five seconds apart. */
const TESTS = Array(7).fill('test');
const FAILED: Verdict[] = Array(7).fill('failed');

describe('a deployment that changes nothing', () => {
  test.each<[Verdict, boolean, string]>([
    ['passed', true, 'It passed the smoke test'],
    ['failed', false, 'It fails the smoke test'],
    ['unknown', false, 'It could not be tested'],
  ])('is tested all the same, and never rolled back: %s', async (verdict, isWell, said) => {
    const tests = Array(7).fill(verdict);
    const { done, ...ending } = await deployed({ before: FIRST, now: FIRST, tests });
    const sentence = `Nothing has changed since stage prod was deployed, so nothing was sent. ${said}, with the version of ${FIRST}.`;
    expect(ending).toEqual({ isWell, sentence });
    expect(done).toEqual(['deploy', ...tests.slice(0, verdict === 'passed' ? 1 : 7).map(() => 'test')]);
  });
});

describe('a deployment that is tested', () => {
  test.each<[string, Verdict[], string[]]>([
    ['passes', ['passed'], ['deploy', 'test']],
    [
      'passes after half a minute: API Gateway needs seconds to have it everywhere',
      [...FAILED.slice(1), 'passed'],
      ['deploy', ...TESTS],
    ],
  ])('stays if it %s', async (_, tests, done) => {
    const sentence = 'Stage prod is deployed and passed the smoke test.';
    expect(await deployed({ before: FIRST, tests })).toEqual({ isWell: true, sentence, done });
  });

  test.each<[Verdict, string, string[]]>([
    ['passed', 'which passes the test', ['test']],
    ['failed', 'which fails the test, too, so the cause may be outside of both', TESTS],
    ['unknown', 'which could not be tested', TESTS],
  ])(
    'is rolled back if it fails for half a minute, and says that the version before %s',
    async (verdict, end, again) => {
      expect(await deployed({ before: FIRST, tests: [...FAILED, ...Array(7).fill(verdict)] })).toEqual({
        isWell: false,
        sentence: `Stage prod failed the smoke test and was rolled back. It runs the version of ${FIRST} again, ${end}.`,
        done: ['deploy', ...TESTS, `rollback to ${FIRST}`, ...again],
      });
    },
  );

  test.each([
    [FIRST, 3],
    // Its lists are 503 until the fold has run.
    [undefined, 5],
  ])(
    'is tested for half a minute after the version of %s, and for two minutes if it is the first',
    async (before, most) => {
      const tests: Verdict[] = [...FAILED.slice(0, most - 1), 'passed'];
      const outcome = await deployed({ ...(before && { before }), tests, testLasts: 10_000 });
      expect(outcome).toMatchObject({ isWell: true, done: ['deploy', ...tests.map(() => 'test')] });
      const failed = await deployed({ ...(before && { before }), tests: FAILED.slice(0, most), testLasts: 10_000 });
      expect(failed.done.slice(0, most + 1)).toEqual(['deploy', ...tests.map(() => 'test')]);
      expect(failed.done[most + 1]).toBe(before && `rollback to ${before}`);
    },
  );

  test('is tested twice if one test takes longer than half a minute', async () => {
    const outcome = await deployed({ before: FIRST, tests: ['failed', 'passed'], testLasts: 40_000 });
    expect(outcome).toMatchObject({ isWell: true, done: ['deploy', 'test', 'test'] });
  });

  const throughout = ['deploy', ...TESTS];
  test.each<[string, Fate, string, string[]]>([
    [
      'is not tested if CloudFormation rolled it back',
      { before: FIRST, deploys: false, now: FIRST },
      `was not deployed, and runs the version of ${FIRST}.`,
      ['deploy'],
    ],
    ['is not tested if there is no stage', { deploys: false, now: undefined }, 'was not deployed.', ['deploy']],
    [
      'is tested if the stage runs its version, although the command failed',
      { before: FIRST, deploys: false },
      'passed the smoke test, but its deployment did not end well.',
      ['deploy', 'test'],
    ],
    [
      'stays if it cannot be tested',
      { before: FIRST, tests: Array(7).fill('unknown') },
      `runs the version of ${SECOND}, which could not be tested.`,
      throughout,
    ],
    ['is not rolled back if it is the first', { tests: FAILED }, 'has no version before this one.', throughout],
    [
      'says if the rollback fails',
      { before: FIRST, tests: FAILED, rollsBack: false, afterwards: SECOND },
      `and the rollback to the version of ${FIRST} failed. It runs the version of ${SECOND}.`,
      [...throughout, `rollback to ${FIRST}`],
    ],
    [
      'does not believe a rollback after which the stage runs the new version',
      { before: FIRST, tests: FAILED, afterwards: SECOND },
      `and the rollback to the version of ${FIRST} failed. It runs the version of ${SECOND}.`,
      [...throughout, `rollback to ${FIRST}`],
    ],
    [
      'is rolled back if the stage runs the version before, although the command failed',
      { before: FIRST, tests: [...FAILED, 'passed'], rollsBack: false },
      `It runs the version of ${FIRST} again, which passes the test, but the rollback did not end well.`,
      [...throughout, `rollback to ${FIRST}`, 'test'],
    ],
  ])('%s', async (_, fate, end, done) => {
    const outcome = await deployed(fate);
    expect(outcome).toMatchObject({ isWell: false, done });
    expect(outcome.sentence.endsWith(end)).toBe(true);
  });
});

test('the version in a template is the time in the keys of its code, if the framework deployed it', () => {
  const aFunction = (S3Key: string) => ({ Type: 'AWS::Lambda::Function', Properties: { Code: { S3Key } } });
  const versionOf = (Resources: object) => versionIn(JSON.stringify({ Resources }));
  const key = `serverless/user-management/prod/1795000000000-${FIRST}/getUser.zip`;
  expect(versionOf({ Table: { Type: 'AWS::DynamoDB::Table' }, GetUser: aFunction(key) })).toBe(FIRST);
  expect(versionOf({ Bucket: { Type: 'AWS::S3::Bucket' } })).toBe(undefined);
  expect(versionOf({ GetUser: aFunction('by-hand/getUser.zip') })).toBe(undefined);
});

test('a stack is settled when nothing happens to it', () => {
  for (const status of [undefined, 'CREATE_COMPLETE', 'UPDATE_ROLLBACK_FAILED', 'REVIEW_IN_PROGRESS'])
    expect(isSettled(status), status).toBe(true);
  for (const status of ['UPDATE_IN_PROGRESS', 'UPDATE_COMPLETE_CLEANUP_IN_PROGRESS'])
    expect(isSettled(status), status).toBe(false);
});

test('the framework that deploys gets nothing that the smoke test signs in with', async () => {
  const folder = folderForTest().replaceAll('\\', '/');
  // Runs in every process that is started, and ends the framework.
  const say = `require('node:fs').writeFileSync('${folder}/names', Object.keys(process.env).join(' '))`;
  writeFileSync(`${folder}/say.cjs`, `if (process.argv[1].endsWith('serverless.js')) { ${say}; process.exit(1); }`);
  const missing =
    '<Response><Error><Code>ValidationError</Code><Message>It does not exist</Message></Error></Response>';
  const aws = await serveForTest((_, response) => response.writeHead(400).end(missing));
  const env = {
    ...{ AWS_ENDPOINT_URL: aws, AWS_ACCESS_KEY_ID: 'a', AWS_SECRET_ACCESS_KEY: 'b', OIDC_ISSUER: 'none' },
    ...{ TOKEN: 'a.b.c', OIDC_CLIENT_SECRET: 'secret', NODE_OPTIONS: `--require ${folder}/say.cjs` },
  };
  const options = ['tools/operate/deploy.ts', '--stage', 'dev', '--region', 'eu-central-1'];
  const ended = await runProgram(process.execPath, options, { env });
  expect(ended).toMatchObject({ code: 1, stdout: 'Stage dev was not deployed.\n' });
  const names = readFileSync(`${folder}/names`, 'utf8').split(' ');
  expect(names.filter((name) => name in env && !name.startsWith('AWS_'))).toEqual(['OIDC_ISSUER', 'NODE_OPTIONS']);
});
