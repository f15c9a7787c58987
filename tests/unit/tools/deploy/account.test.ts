import { APIGatewayClient } from '@aws-sdk/client-api-gateway';
import { expect, test, vi } from 'vitest';
import { pluginFor } from '../../../support/deployPlugin.ts';

/** Begins a deployment in an account whose API Gateway may write logs, or not. */
const begin = (hasAccessLogs: boolean, cloudwatchRoleArn?: string) => {
  vi.spyOn(APIGatewayClient.prototype, 'send').mockImplementation(async () => ({ cloudwatchRoleArn }));
  const { hooks } = pluginFor(
    'deploy',
    { hasAccessLogs },
    { config: { region: 'local', endpoint: 'http://127.0.0.1:1' } },
  );
  return Promise.resolve(hooks['before:package:initialize']?.()).catch(String);
};

const SENTENCE =
  'Error: API Gateway has no role for logs in region eu-central-1 of this account: deploy tools/deploy/stacks/account.yml there, once; its first lines have the command.';

test('a stage with an access log is refused before anything is made, unless API Gateway may write logs', async () => {
  expect(await begin(true)).toBe(SENTENCE);
  expect(await begin(true, 'arn')).not.toBe(SENTENCE);
  expect(await begin(false)).not.toBe(SENTENCE);
});
