/** How a smoke test ended. `unknown`: it could not be run, and says nothing about the version. */
export type Verdict = 'passed' | 'failed' | 'unknown';

/** What deploys, tests and takes back the versions of one stage. */
export interface StageActions {
  /** The version that the stage runs, by the time when it was packaged. Undefined if there is no stack. */
  version(): Promise<string | undefined>;
  /** @returns whether it went well, once nothing changes any more */
  deploy(): Promise<boolean>;
  test(): Promise<Verdict>;
  /** Deploys a former version. @returns whether it went well */
  goBack(version: string): Promise<boolean>;
}

/** How a deployment ended. */
export interface Outcome {
  /** Whether the stage runs the new version, tested. */
  isWell: boolean;
  sentence: string;
}

const not = (sentence: string): Outcome => ({ isWell: false, sentence });

const AGAIN: Record<Verdict, string> = {
  passed: 'which passes it',
  failed: 'which fails it, too',
  unknown: 'which could not be tested',
};

/** Deploys a stage, tests it from outside, and deploys the version before if the test fails twice. */
export async function deployOrGoBack(stage: string, actions: StageActions): Promise<Outcome> {
  const before = await actions.version();
  const isDeployed = await actions.deploy();
  const now = await actions.version();
  if (now === before) {
    return not(`Stage ${stage} was not deployed${before === undefined ? '.' : `, and runs the version of ${before}.`}`);
  }
  // One lost request must not take a version back.
  const verdict = (await actions.test()) === 'passed' ? 'passed' : await actions.test();
  if (verdict === 'unknown') return not(`Stage ${stage} runs the version of ${now}, which could not be tested.`);
  if (verdict === 'passed') {
    return isDeployed
      ? { isWell: true, sentence: `Stage ${stage} is deployed and passed the smoke test.` }
      : not(
          `Stage ${stage} runs the version of ${now} and passed the smoke test, but its deployment did not end well.`,
        );
  }
  const failed = `Stage ${stage} failed the smoke test`;
  if (before === undefined) return not(`${failed}, and has no version before this one.`);
  if (!(await actions.goBack(before))) return not(`${failed}, and could not go back to the version of ${before}.`);
  return not(`${failed}. It runs the version of ${before} again, ${AGAIN[await actions.test()]}.`);
}
