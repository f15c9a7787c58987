import { describe, expect, test } from 'vitest';
import { deployTested, type Verdict } from '../../../../tools/operate/deployment.ts';
import { isSettled, versionIn } from '../../../../tools/operate/stages.ts';

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
  rollsBack?: boolean;
}

/** Deploys a stage with this fate. `done` has the steps in their order. */
async function deployed(fate: Fate) {
  const { before, deploys, now, tests, rollsBack } = { deploys: true, now: SECOND, rollsBack: true, ...fate };
  const verdicts = [...(tests ?? ['passed'])];
  const done: string[] = [];
  const step = async <Outcome>(what: string, outcome: Outcome): Promise<Outcome> => {
    done.push(what);
    return outcome;
  };
  const [isWell, sentence] = await deployTested('prod', {
    version: async () => (done.length === 0 ? before : now),
    deploy: () => step('deploy', deploys),
    test: () => step('test', verdicts.shift() ?? 'failed'),
    rollback: (to) => step(`rollback to ${to}`, rollsBack),
  });
  return { isWell, sentence, done };
}

describe('a deployment that is tested', () => {
  test.each<[string, Verdict[], string[]]>([
    ['passes', ['passed'], ['deploy', 'test']],
    ['passes the second time: one request may be lost', ['failed', 'passed'], ['deploy', 'test', 'test']],
  ])('stays if it %s', async (_, tests, done) => {
    const sentence = 'Stage prod is deployed and passed the smoke test.';
    expect(await deployed({ before: FIRST, tests })).toEqual({ isWell: true, sentence, done });
  });

  test.each<[Verdict, string]>([
    ['passed', 'which passes it'],
    ['failed', 'which fails it, too'],
    ['unknown', 'which could not be tested'],
  ])('is rolled back to the version before if it fails twice, and says that its test %s', async (verdict, end) => {
    expect(await deployed({ before: FIRST, tests: ['failed', 'failed', verdict] })).toEqual({
      isWell: false,
      sentence: `Stage prod failed the smoke test. It runs the version of ${FIRST} again, ${end}.`,
      done: ['deploy', 'test', 'test', `rollback to ${FIRST}`, 'test'],
    });
  });

  const twice = ['deploy', 'test', 'test'];
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
      { before: FIRST, tests: ['unknown', 'unknown'] },
      `runs the version of ${SECOND}, which could not be tested.`,
      twice,
    ],
    [
      'is not rolled back if it is the first',
      { tests: ['failed', 'failed'] },
      'has no version before this one.',
      twice,
    ],
    [
      'says if the rollback fails',
      { before: FIRST, tests: ['failed', 'failed'], rollsBack: false },
      `and the rollback to the version of ${FIRST} failed.`,
      [...twice, `rollback to ${FIRST}`],
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
