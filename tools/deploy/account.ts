import { APIGatewayClient, GetAccountCommand } from '@aws-sdk/client-api-gateway';
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
