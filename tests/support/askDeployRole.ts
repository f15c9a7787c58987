import { arn, requestsFor, stackOf, VIA_DYNAMODB } from './deploymentRequests.ts';
import { ACCOUNT, deployRole, PARTITION, REGION } from './deployRole.ts';
import { type IamRequest, isAllowedBy } from './iam.ts';
import { functionsIn, type Statement, statementsOf, type Template } from './template.ts';

const PSEUDO_PARAMETERS: Record<string, string> = {
  'AWS::Partition': PARTITION,
  'AWS::Region': REGION,
  'AWS::AccountId': ACCOUNT,
};

/** The ARN that CloudFormation puts into the policy of a function. */
function resolve(stage: string, resource: unknown): string {
  type Intrinsic = { 'Fn::Sub'?: string; 'Fn::GetAtt'?: string[] };
  const { 'Fn::Sub': text, 'Fn::GetAtt': attribute } = Object(resource) as Intrinsic;
  if (attribute?.join() === 'UsersTable,StreamArn') return arn('dynamodb', `table/${stackOf(stage)}-users/stream/2026`);
  if (attribute?.join() === 'EventBus,Arn') return arn('events', `event-bus/${stackOf(stage)}`);
  return (text ?? String(resource)).replace(/\$\{([^}]*)\}/g, (_, name) => PSEUDO_PARAMETERS[name] ?? name);
}

/** The requests that the code of a function may send. It does not read the stream: Lambda does. */
function requestsOf(stage: string, operation: string, { Action, Resource }: Statement): IamRequest[] {
  const source = { 'lambda:SourceFunctionArn': arn('lambda', `function:${stackOf(stage)}-${operation}`) };
  const contextOf = (action: string, resource: unknown) => {
    if (action.startsWith('kms:')) return VIA_DYNAMODB;
    return JSON.stringify(resource).includes('StreamArn') ? {} : source;
  };
  return Action.flatMap((action) =>
    [Resource].flat().map((resource) => ({
      action,
      resource: resolve(stage, resource),
      context: contextOf(action, resource),
    })),
  );
}

/**
 * What docs/deploy-role.yml decides: about the requests that make, read, change and delete the resources of a template, by the
 * role for deployments, and about the requests of its functions, by their boundary.
 */
export function askDeployRole(stage: string, template: Template, kmsKey = '') {
  const { deployer, boundary } = deployRole(stage, kmsKey);
  const made = Object.entries(template).flatMap(([id, resource]) => requestsFor(stage, id, resource));
  const used = functionsIn(template).flatMap((operation) =>
    statementsOf(template, operation).flatMap((statement) => requestsOf(stage, operation, statement)),
  );
  return {
    counts: [made.length, used.length] as const,
    denied: [
      ...made.filter((request) => !isAllowedBy(deployer, request)),
      ...used.filter((request) => !isAllowedBy(boundary, request)),
    ],
  };
}
