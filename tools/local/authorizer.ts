import { AsyncLocalStorage } from 'node:async_hooks';

/** The part of serverless-offline's class that is used here. */
export interface LambdaFunction {
  runHandler(): Promise<unknown>;
}

/** The error message for which API Gateway responds with 401. It responds to others with 503. */
const REFUSAL = 'Unauthorized';

/** Whether a function of the current request failed. */
const current = new AsyncLocalStorage<{ hasFailed: boolean }>();

export const beginRequest = (): void => current.enterWith({ hasFailed: false });

/** Whether a 401 stands for a failure of the authorizer: serverless-offline forgets what it threw. */
export const hasFailed = (): boolean => current.getStore()?.hasFailed ?? false;

export function noticeFailures(functions: LambdaFunction): void {
  const { runHandler } = functions;
  functions.runHandler = async function () {
    try {
      return await runHandler.call(this);
    } catch (error) {
      const request = current.getStore();
      if (request) request.hasFailed = !(error instanceof Error && error.message === REFUSAL);
      throw error;
    }
  };
}
