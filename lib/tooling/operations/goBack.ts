/** What deploys, tests and takes back the versions of one stage. */
export interface StageActions {
  /** The version that the stage runs, by the time when it was packaged. Undefined if there is no stack. */
  version(): Promise<string | undefined>;
  /** @returns whether it went well */
  deploy(): Promise<boolean>;
  /** @returns whether the smoke test passed */
  test(): Promise<boolean>;
  /** Deploys a former version. @returns whether it went well */
  goBack(version: string): Promise<boolean>;
}

/** How a deployment ended. */
export interface Outcome {
  /** Whether the stage runs the new version, tested. */
  isWell: boolean;
  sentence: string;
}

/** Deploys a stage, tests it from outside, and deploys the version before if the test fails. */
export async function deployOrGoBack(stage: string, actions: StageActions): Promise<Outcome> {
  const before = await actions.version();
  if (!(await actions.deploy())) return { isWell: false, sentence: `Stage ${stage} was not deployed.` };
  if (await actions.test()) return { isWell: true, sentence: `Stage ${stage} is deployed and passed the smoke test.` };
  const failed = `Stage ${stage} failed the smoke test`;
  if (before === undefined) return { isWell: false, sentence: `${failed}, and has no version before this one.` };
  if (before === (await actions.version())) {
    return {
      isWell: false,
      sentence: `${failed}, and the deployment had changed nothing: there is nothing to take back.`,
    };
  }
  if (!(await actions.goBack(before))) {
    return { isWell: false, sentence: `${failed}, and could not go back to the version of ${before}.` };
  }
  const isWellAgain = (await actions.test()) ? 'which passes it' : 'which fails it, too';
  return { isWell: false, sentence: `${failed}. It runs the version of ${before} again, ${isWellAgain}.` };
}
