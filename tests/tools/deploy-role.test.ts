import { describe, expect, test } from 'vitest';
import { arn, requestsFor, stackOf } from '../support/deploymentRequests.ts';
import { ACCOUNT, deployRole, PARTITION, REGION } from '../support/deployRole.ts';
import { type IamRequest, isAllowedBy } from '../support/iam.ts';
import {
  functionsOf,
  packageBeforeAll,
  STAGES,
  type Statement,
  shell,
  statementsOf,
  templates,
} from '../support/template.ts';

// With all that a stage may have.
shell.replace('serverless.yml', '    events: false', '    events: true');
packageBeforeAll();

const PSEUDO_PARAMETERS: Record<string, string> = {
  'AWS::Partition': PARTITION,
  'AWS::Region': REGION,
  'AWS::AccountId': ACCOUNT,
};

/** The ARN that CloudFormation makes of a resource in the policy of a function. */
function resolve(stage: string, resource: unknown): string {
  const { 'Fn::Sub': text, 'Fn::GetAtt': attribute } = Object(resource) as {
    'Fn::Sub'?: string;
    'Fn::GetAtt'?: string[];
  };
  if (attribute?.join() === 'UsersTable,StreamArn') return arn('dynamodb', `table/${stackOf(stage)}-users/stream/2026`);
  if (attribute?.join() === 'EventBus,Arn') return arn('events', `event-bus/${stackOf(stage)}`);
  return (text ?? String(resource)).replace(/\$\{([^}]*)\}/g, (_, name) => PSEUDO_PARAMETERS[name] ?? name);
}

/** What the code of a function may ask. Lambda itself reads the stream. */
const asked = (stage: string, operation: string, { Action, Resource }: Statement): IamRequest[] =>
  Action.flatMap((action) =>
    [Resource].flat().map((resource) => ({
      action,
      resource: resolve(stage, resource),
      context: JSON.stringify(resource).includes('StreamArn')
        ? {}
        : { 'lambda:SourceFunctionArn': arn('lambda', `function:${stackOf(stage)}-${operation}`) },
    })),
  );

describe.each(STAGES)('the role for the deployments of %s', (stage) => {
  test('may make, read, change and delete every resource of the template', () => {
    const { deployer } = deployRole(stage);
    const requests = Object.entries(templates[stage]).flatMap(([id, resource]) => requestsFor(stage, id, resource));
    expect(requests.length).toBeGreaterThan(500);
    expect(requests.filter((request) => !isAllowedBy(deployer, request))).toEqual([]);
  });

  test('makes functions whose permissions are all within the boundary', () => {
    const { boundary } = deployRole(stage);
    const requests = [...functionsOf(stage), 'sendEvents'].flatMap((operation) =>
      statementsOf(templates[stage], operation).flatMap((statement) => asked(stage, operation, statement)),
    );
    expect(requests.length).toBeGreaterThan(100);
    expect(requests.filter((request) => !isAllowedBy(boundary, request))).toEqual([]);
  });
});
