import { APIGatewayClient, GetStageCommand, NotFoundException } from '@aws-sdk/client-api-gateway';
import { CloudFormationClient } from '@aws-sdk/client-cloudformation';
import { API_STAGE } from './apiStage.ts';
import { type ClientConfig, idIn } from './stage.ts';

async function hasStage(config: ClientConfig, restApiId: string, stageName: string): Promise<boolean> {
  try {
    await new APIGatewayClient(config).send(new GetStageCommand({ restApiId, stageName }));
    return true;
  } catch (error) {
    if (error instanceof NotFoundException) return false;
    throw error;
  }
}

/**
 * Why a stack of an earlier version cannot be deployed to, in one sentence. Undefined if it can. There the deployment of the API made
 * the stage, which is no resource of the stack, and CloudFormation makes no stage that exists.
 */
export async function refusalOfFormerStage(
  config: ClientConfig,
  stack: string,
  stage: string,
): Promise<string | undefined> {
  const cloudFormation = new CloudFormationClient(config);
  const [api, own] = await Promise.all([
    idIn(cloudFormation, stack, 'ApiGatewayRestApi'),
    idIn(cloudFormation, stack, API_STAGE),
  ]);
  if (!api || own || !(await hasStage(config, api, stage))) return undefined;
  return `Stage ${stage} of API ${api} is from an earlier version, and belongs to no stack: docs/runbook.md, "A stage of an earlier version", says how to replace it.`;
}
