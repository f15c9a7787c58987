import type { Runtime } from '../../lib/ground/index.ts';

/** How a smoke test ended. `unknown`: it could not be run, and says nothing about the version. */
export type Verdict = 'passed' | 'failed' | 'unknown';

/** The actions that deploy, test and roll back the versions of one stage. */
export interface StageActions {
  /** The version that the stage runs, by the time when it was packaged. Undefined if there is no stack. */
  version(): Promise<string | undefined>;
  /** Sends nothing where nothing has changed. @returns whether it went well, once nothing changes any more */
  deploy(): Promise<boolean>;
  test(): Promise<Verdict>;
  /** Deploys a former version. @returns whether it went well */
  rollback(version: string): Promise<boolean>;
}

/** A new version of an API takes some seconds until it is everywhere, and one lost request says nothing. */
const PATIENCE_MS = 30_000;
/** Lists of a new stage are 503 until the fold has run, which a schedule calls every minute. */
const FIRST_PATIENCE_MS = 120_000;
/** Some 503s are expected meanwhile: two for each test, so the alarm of five faults may go off once. */
const PAUSES = 6;

type Clock = Pick<Runtime, 'monotonic' | 'sleep'>;

/** Tests until the test passes, at least twice, and the last time when the patience ends, in milliseconds. */
async function testPatiently(
  { test }: StageActions,
  { monotonic, sleep }: Clock,
  patience = PATIENCE_MS,
): Promise<Verdict> {
  const end = monotonic() + patience;
  let verdict = await test();
  for (let isLast = false; verdict !== 'passed' && !isLast; ) {
    await sleep(patience / PAUSES);
    isLast = monotonic() >= end;
    verdict = await test();
  }
  return verdict;
}

const AGAIN: Record<Verdict, string> = {
  passed: 'which passes the test',
  failed: 'which fails the test, too, so the cause may be outside of both',
  unknown: 'which could not be tested',
};

/**
 * Rolls a stage back to the version before, whose smoke test says whether it was the version. The stack tells which version runs, because
 * the command may fail afterwards, too.
 */
async function rollback(
  stage: string,
  before: string | undefined,
  actions: StageActions,
  clock: Clock,
): Promise<string> {
  const failed = `Stage ${stage} failed the smoke test`;
  if (before === undefined) return `${failed}, and has no version before this one.`;
  const endedWell = await actions.rollback(before);
  const now = await actions.version();
  if (now !== before) {
    const runs = now === undefined ? '' : ` It runs the version of ${now}.`;
    return `${failed}, and the rollback to the version of ${before} failed.${runs}`;
  }
  const again = `It runs the version of ${before} again, ${AGAIN[await testPatiently(actions, clock)]}`;
  return endedWell
    ? `${failed} and was rolled back. ${again}.`
    : `${failed}. ${again}, but the rollback did not end well.`;
}

const TESTED: Record<Verdict, string> = {
  passed: 'It passed the smoke test',
  failed: 'It fails the smoke test',
  unknown: 'It could not be tested',
};

/** A version that was there before is not rolled back: it may be fine, and the failure that of something else. */
const unchanged = (stage: string, version: string, verdict: Verdict): [isWell: boolean, string] => [
  verdict === 'passed',
  `Nothing has changed since stage ${stage} was deployed, so nothing was sent. ${TESTED[verdict]}, with the version of ${version}.`,
];

/**
 * Deploys a stage, tests it from outside, and rolls it back if the test fails for half a minute. A new stage has two minutes.
 *
 * @returns whether the stage runs the new version, tested, and a sentence that says so
 */
export async function deployTested(
  stage: string,
  actions: StageActions,
  clock: Clock,
): Promise<[isWell: boolean, string]> {
  const before = await actions.version();
  const isDeployed = await actions.deploy();
  const now = await actions.version();
  if (now !== undefined && now === before && isDeployed)
    return unchanged(stage, now, await testPatiently(actions, clock));
  if (now === before)
    return [false, `Stage ${stage} was not deployed${now === undefined ? '' : `, and runs the version of ${now}`}.`];
  const verdict = await testPatiently(actions, clock, before === undefined ? FIRST_PATIENCE_MS : PATIENCE_MS);
  if (verdict === 'unknown') return [false, `Stage ${stage} runs the version of ${now}, which could not be tested.`];
  if (verdict === 'failed') return [false, await rollback(stage, before, actions, clock)];
  if (isDeployed) return [true, `Stage ${stage} is deployed and passed the smoke test.`];
  const passed = `Stage ${stage} runs the version of ${now} and passed the smoke test`;
  return [false, `${passed}, but its deployment did not end well.`];
}
