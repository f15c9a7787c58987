import { describe, expect, test } from 'vitest';
import { arn, requestsFor, stackOf, VIA_DYNAMODB } from '../support/deploymentRequests.ts';
import { ACCOUNT, DOMAIN, deployRole, KMS_KEY, PARTITION, REGION } from '../support/deployRole.ts';
import { type IamRequest, isAllowedBy } from '../support/iam.ts';
import {
  functionsOf,
  packageBeforeAll,
  packageStage,
  STAGES,
  type Statement,
  shell,
  statementsOf,
  templates,
} from '../support/template.ts';

// A stage with everything that it can have.
shell.replace('serverless.yml', '    events: false', '    events: true');
packageBeforeAll();

const PSEUDO_PARAMETERS: Record<string, string> = {
  'AWS::Partition': PARTITION,
  'AWS::Region': REGION,
  'AWS::AccountId': ACCOUNT,
};

/** The ARN that CloudFormation puts into the policy of a function. */
function resolve(stage: string, resource: unknown): string {
  const { 'Fn::Sub': text, 'Fn::GetAtt': attribute } = Object(resource) as {
    'Fn::Sub'?: string;
    'Fn::GetAtt'?: string[];
  };
  if (attribute?.join() === 'UsersTable,StreamArn') return arn('dynamodb', `table/${stackOf(stage)}-users/stream/2026`);
  if (attribute?.join() === 'EventBus,Arn') return arn('events', `event-bus/${stackOf(stage)}`);
  return (text ?? String(resource)).replace(/\$\{([^}]*)\}/g, (_, name) => PSEUDO_PARAMETERS[name] ?? name);
}

/** The requests that the code of a function may send. It does not read the stream: Lambda does. */
const asked = (stage: string, operation: string, { Action, Resource }: Statement): IamRequest[] =>
  Action.flatMap((action) =>
    [Resource].flat().map((resource) => ({
      action,
      resource: resolve(stage, resource),
      context: action.startsWith('kms:')
        ? VIA_DYNAMODB
        : JSON.stringify(resource).includes('StreamArn')
          ? {}
          : { 'lambda:SourceFunctionArn': arn('lambda', `function:${stackOf(stage)}-${operation}`) },
    })),
  );

describe.each(STAGES)('the role for the deployments of %s', (stage) => {
  test('allows it to make, read, change and delete every resource of the template', () => {
    const { deployer } = deployRole(stage);
    const requests = Object.entries(templates[stage]).flatMap(([id, resource]) => requestsFor(stage, id, resource));
    expect(requests.length).toBeGreaterThan(500);
    expect(requests.filter((request) => !isAllowedBy(deployer, request))).toEqual([]);
  });

  test('allows only functions whose permissions are all within the boundary', () => {
    const { boundary } = deployRole(stage);
    const requests = [...functionsOf(stage), 'sendEvents'].flatMap((operation) =>
      statementsOf(templates[stage], operation).flatMap((statement) => asked(stage, operation, statement)),
    );
    expect(requests.length).toBeGreaterThan(100);
    expect(requests.filter((request) => !isAllowedBy(boundary, request))).toEqual([]);
  });
});

describe('the role for the deployments of a stage with a domain', () => {
  test('allows it to serve the stage at this domain, and at no other', () => {
    const { deployer } = deployRole('named');
    const refused = (DOMAIN_NAME: string) =>
      Object.entries(packageStage('named', { OIDC_ISSUER: 'none', DOMAIN_NAME }, shell.root))
        .flatMap(([id, resource]) => requestsFor('named', id, resource))
        .filter((request) => !isAllowedBy(deployer, request));
    expect(refused(DOMAIN)).toEqual([]);
    const others = new Set(refused('other.example.com').map(({ resource }) => resource));
    expect([...others]).toEqual([
      'arn:aws:apigateway:eu-central-1::/domainnames/other.example.com/basepathmappings',
      'arn:aws:apigateway:eu-central-1::/domainnames/other.example.com/basepathmappings/(none)',
    ]);
  });
});

describe('the role for the deployments of a stage with a key of its own', () => {
  test('allows tables with the key, and functions that use it, within the boundary', () => {
    const template = packageStage('locked', { OIDC_ISSUER: 'none', KMS_KEY }, shell.root);
    const made = Object.entries(template).flatMap(([id, resource]) => requestsFor('locked', id, resource));
    const used = functionsOf('dev').flatMap((operation) =>
      statementsOf(template, operation).flatMap((statement) => asked('locked', operation, statement)),
    );
    const refused = (kmsKey: string) => {
      const { deployer, boundary } = deployRole('locked', kmsKey);
      return [
        ...made.filter((request) => !isAllowedBy(deployer, request)),
        ...used.filter((request) => !isAllowedBy(boundary, request)),
      ];
    };
    expect(refused(KMS_KEY)).toEqual([]);
    expect(new Set(refused('').map(({ resource }) => resource))).toEqual(new Set([KMS_KEY]));
  });
});
