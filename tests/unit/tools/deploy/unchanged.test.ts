import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import type { Resources } from '../../../../tools/deploy/resource.ts';
import { isUnchanged, noteCode } from '../../../../tools/deploy/unchanged.ts';
import { folderForTest } from '../../../support/programs.ts';

/** A template as the framework makes it at a time, with this code and setting. */
function packaged({ at = 1, code = 'one', users = 'users' } = {}) {
  const artifact = join(folderForTest(), 'getUser.zip');
  writeFileSync(artifact, code);
  const snapshot = `ApiGatewayDeployment${at}`;
  const compiled: Resources = {
    [snapshot]: { Type: 'AWS::ApiGateway::Deployment', Properties: {} },
    ApiStage: { Type: 'AWS::ApiGateway::Stage', Properties: { DeploymentId: { Ref: snapshot } } },
    GetUserLambdaFunction: {
      Type: 'AWS::Lambda::Function',
      Properties: {
        Code: { S3Key: `serverless/user-management/dev/${at}-2026/getUser.zip` },
        Environment: { Variables: { USERS_TABLE: users } },
      },
    },
  };
  noteCode(compiled, { getUser: { handler: 'functions/getUser.handler', package: { artifact } } });
  return { Resources: compiled };
}

const deployed = (of = {}): string => JSON.stringify(packaged(of), null, 2);

describe('a deployment', () => {
  test('changes nothing if only the names differ that the framework makes anew', () => {
    expect(isUnchanged(deployed(), packaged({ at: 2 }))).toBe(true);
  });

  test.each<[string, object]>([
    ['code', { code: 'two' }],
    ['a setting', { users: 'others' }],
  ])('changes a stage that has another version of %s', (_, other) => {
    expect(isUnchanged(deployed(other), packaged({ at: 2 }))).toBe(false);
  });

  test('changes a stage that does not exist, or was deployed before code was noted', () => {
    expect(isUnchanged('{"Resources":{}}', packaged())).toBe(false);
    const { GetUserLambdaFunction, ...others } = packaged().Resources;
    const { Metadata: _, ...before } = GetUserLambdaFunction ?? {};
    expect(isUnchanged(JSON.stringify({ Resources: { ...others, GetUserLambdaFunction: before } }), packaged())).toBe(
      false,
    );
  });
});
