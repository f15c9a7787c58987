import { describe, expect, test } from 'vitest';
import { deployOrGoBack } from '../../../../lib/tooling/operations/goBack.ts';
import { versionIn } from '../../../../lib/tooling/operations/versions.ts';

const FIRST = '2026-11-18T10:26:40.000Z';
const SECOND = '2026-11-19T10:26:40.000Z';

interface Fate {
  /** The version before. */
  before?: string;
  deploys?: boolean;
  /** What each smoke test says. */
  tests?: boolean[];
  goesBack?: boolean;
  /** Whether the deployment changes anything. */
  changes?: boolean;
}

/** Deploys a stage with this fate. What was done is in the order in which it was done. */
async function deployed({ before, deploys = true, tests = [true], goesBack = true, changes = true }: Fate) {
  const done: string[] = [];
  let version = before;
  const note = (what: string, outcome: boolean) => {
    done.push(what);
    return Promise.resolve(outcome);
  };
  const outcome = await deployOrGoBack('prod', {
    version: () => Promise.resolve(version),
    deploy: () => {
      if (deploys && changes) version = SECOND;
      return note('deploy', deploys);
    },
    test: () => note('test', tests.shift() ?? false),
    goBack: (to) => note(`back to ${to}`, goesBack),
  });
  return { ...outcome, done };
}

describe('a deployment that is tested', () => {
  test('stays if it passes', async () => {
    expect(await deployed({ before: FIRST })).toEqual({
      isWell: true,
      sentence: 'Stage prod is deployed and passed the smoke test.',
      done: ['deploy', 'test'],
    });
  });

  test('goes back to the version before if it fails, and tests that', async () => {
    expect(await deployed({ before: FIRST, tests: [false, true] })).toEqual({
      isWell: false,
      sentence: `Stage prod failed the smoke test. It runs the version of ${FIRST} again, which passes it.`,
      done: ['deploy', 'test', `back to ${FIRST}`, 'test'],
    });
    const { sentence } = await deployed({ before: FIRST, tests: [false, false] });
    expect(sentence).toMatch(/again, which fails it, too\.$/);
  });

  test.each<[string, Fate, string, string[]]>([
    ['is not tested if it fails itself', { before: FIRST, deploys: false }, 'was not deployed.', ['deploy']],
    ['has nothing to go back to at first', { tests: [false] }, 'has no version before this one.', ['deploy', 'test']],
    [
      'takes nothing back if it changed nothing',
      { before: FIRST, changes: false, tests: [false] },
      'nothing to take back.',
      ['deploy', 'test'],
    ],
    [
      'says if it cannot go back',
      { before: FIRST, tests: [false], goesBack: false },
      `could not go back to the version of ${FIRST}.`,
      ['deploy', 'test', `back to ${FIRST}`],
    ],
  ])('%s', async (_, fate, end, done) => {
    const outcome = await deployed(fate);
    expect(outcome).toMatchObject({ isWell: false, done });
    expect(outcome.sentence.endsWith(end)).toBe(true);
  });
});

describe('the version in a template', () => {
  const template = (Resources: object) => JSON.stringify({ Resources });
  const aFunction = (S3Key: string) => ({ Type: 'AWS::Lambda::Function', Properties: { Code: { S3Key } } });

  test('is the time in the place of its code', () => {
    const key = `serverless/user-management/prod/1795000000000-${FIRST}/getUser.zip`;
    expect(versionIn(template({ Table: { Type: 'AWS::DynamoDB::Table' }, GetUser: aFunction(key) }))).toBe(FIRST);
  });

  test('is unknown without functions, or if somebody else deployed them', () => {
    expect(versionIn('{}')).toBe(undefined);
    expect(versionIn(template({ Bucket: { Type: 'AWS::S3::Bucket' } }))).toBe(undefined);
    expect(versionIn(template({ GetUser: aFunction('by-hand/getUser.zip') }))).toBe(undefined);
  });
});
