import { AsyncLocalStorage } from 'node:async_hooks';

/** What hapi's authentication returns for a refused request (https://hapi.dev/module/boom/api). */
interface Refusal {
  isBoom?: boolean;
  output: { statusCode: number };
}

type Authenticate = (request: unknown, h: unknown) => Promise<Refusal>;
type Scheme = (...options: unknown[]) => { authenticate: Authenticate };

/** The parts of hapi's `server.auth` and of serverless-offline's class that are used here. */
export interface Authentication {
  scheme(name: string, scheme: Scheme): void;
}
export interface LambdaFunction {
  runHandler(): Promise<unknown>;
}

/** The error message for which API Gateway responds with 401. It responds to others with AUTHORIZER_FAILURE. */
const REFUSAL = 'Unauthorized';
const AUTHORIZER_FAILURE = 503;

/** Whether the authorizer of the current request failed. */
const current = new AsyncLocalStorage<{ hasFailed: boolean }>();

/** Notices the failures of functions. serverless-offline forgets what an authorizer threw. */
export function noticeFailures(functions: LambdaFunction): void {
  const { runHandler } = functions;
  functions.runHandler = async function () {
    try {
      return await runHandler.call(this);
    } catch (error) {
      const attempt = current.getStore();
      if (attempt) attempt.hasFailed = !(error instanceof Error && error.message === REFUSAL);
      throw error;
    }
  };
}

const withFailures =
  (authenticate: Authenticate): Authenticate =>
  (request, h) => {
    const attempt = { hasFailed: false };
    return current.run(attempt, async () => {
      const outcome = await authenticate(request, h);
      if (attempt.hasFailed && outcome.isBoom) outcome.output.statusCode = AUTHORIZER_FAILURE;
      return outcome;
    });
  };

/** Responds with 503 when an authorizer fails, as API Gateway does. serverless-offline responds with 401. */
export function tellFailuresFromRefusals(auth: Authentication): void {
  const { scheme } = auth;
  auth.scheme = (name, make) =>
    scheme.call(auth, name, (...options) => {
      const { authenticate } = make(...options);
      return { authenticate: withFailures(authenticate) };
    });
}
