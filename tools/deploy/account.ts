import { APIGatewayClient, GetAccountCommand } from '@aws-sdk/client-api-gateway';
import { GetAccountSettingsCommand, LambdaClient } from '@aws-sdk/client-lambda';
import type { ClientConfig } from './existing.ts';

/**
 * Why a stage with an access log cannot be deployed, in one sentence. Undefined if it can: API Gateway refuses such a stage when almost
 * all of the stack is made.
 */
export async function refusalOfAccount(config: ClientConfig, region: string): Promise<string | undefined> {
  const { cloudwatchRoleArn } = await new APIGatewayClient(config).send(new GetAccountCommand({}));
  if (cloudwatchRoleArn) return undefined;
  return `API Gateway has no role for logs in region ${region} of this account: deploy tools/deploy/stacks/account.yml there, once; its first lines have the command.`;
}

/** Functions that run at once. Below this number Lambda throttles a page with its lists, and the smoke test. A new account has ten. */
const FEW = 100;

/** Lambda leaves so much to functions without a reservation, or all that the account has: https://docs.aws.amazon.com/lambda/latest/dg/configuration-concurrency.html */
const UNRESERVED = 100;

/** The meaning of an account's concurrency for a stage: at most one of the two is there. */
interface Concurrency {
  refusal?: string;
  warning?: string;
}

/** Asks how many functions run at once in an account. A role that may not ask learns it from the deployment. */
export async function concurrencyOf(
  config: ClientConfig,
  region: string,
  reserved: Record<string, number>,
): Promise<Concurrency> {
  const found = await new LambdaClient(config).send(new GetAccountSettingsCommand({})).catch((error) => {
    if (error.name !== 'AccessDeniedException') throw error;
  });
  const limit = found?.AccountLimit?.ConcurrentExecutions;
  if (limit === undefined) return {};
  const advice =
    'ask Service Quotas for 1,000 "Concurrent executions" of AWS Lambda (docs/deployment.md#once-per-account)';
  const wanted = Object.values(reserved).reduce((sum, each) => sum + Number(each), 0);
  const most = Math.max(0, limit - UNRESERVED);
  const runs = `This account runs ${limit} functions at once in region ${region}`;
  if (wanted > most)
    return {
      refusal: `${runs}, of which ${most} can be reserved, and reservedConcurrency wants ${wanted}: ${advice}.`,
    };
  if (limit < FEW)
    return { warning: `${runs}. More requests at a time fail, also those of the smoke test: ${advice}.` };
  return {};
}
