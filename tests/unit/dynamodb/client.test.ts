import { expect, test } from 'vitest';
import { createDynamo } from '../../../lib/dynamodb/client.ts';

test('the logger of the client has no `info`: for it the SDK would copy every response', () => {
  expect(Object.keys(createDynamo().config.logger).sort()).toEqual(['debug', 'error', 'trace', 'warn']);
});
