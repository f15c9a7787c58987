import { APIGatewayClient } from '@aws-sdk/client-api-gateway';
import { LambdaClient } from '@aws-sdk/client-lambda';
import { expect, test, vi } from 'vitest';
import { concurrencyOf } from '../../../../tools/deploy/account.ts';
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

const ADVICE =
  'ask Service Quotas for 1,000 "Concurrent executions" of AWS Lambda (docs/deployment.md#once-per-account).';

/** Asks an account that runs this number of functions at once. */
const ask = (ConcurrentExecutions: number, reserved: Record<string, number> = {}) => {
  vi.spyOn(LambdaClient.prototype, 'send').mockImplementation(async () => ({ AccountLimit: { ConcurrentExecutions } }));
  return concurrencyOf({ region: 'local' }, 'eu-central-1', reserved);
};

test('a new account is told that it runs ten functions at once, and that none of them can be reserved', async () => {
  const runs = 'This account runs 10 functions at once in region eu-central-1';
  const warning = `${runs}. More requests at a time fail, also those of the smoke test: ${ADVICE}`;
  expect(await ask(10)).toEqual({ warning });
  const refusal = `${runs}, of which 0 can be reserved, and reservedConcurrency wants 3: ${ADVICE}`;
  expect(await ask(10, { fold: 2, listAllUsers: 1 })).toEqual({ refusal });
});

test('an account with a thousand is told nothing, unless more than 900 are reserved', async () => {
  expect(await ask(1_000, { fold: 2 })).toEqual({});
  expect((await ask(1_000, { listAllUsers: 901 })).refusal).toContain('of which 900 can be reserved');
});

test('a role that may not ask for it deploys all the same', async () => {
  const denied = Object.assign(new Error('denied'), { name: 'AccessDeniedException' });
  vi.spyOn(LambdaClient.prototype, 'send').mockImplementation(() => Promise.reject(denied));
  expect(await concurrencyOf({ region: 'local' }, 'eu-central-1', { fold: 2 })).toEqual({});
});
