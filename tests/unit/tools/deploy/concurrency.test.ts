import { LambdaClient, ResourceNotFoundException } from '@aws-sdk/client-lambda';
import { expect, test, vi } from 'vitest';
import { refusalOfReservations } from '../../../../tools/deploy/concurrency.ts';

const refusal = (limit: number, available: number, wanted: number) =>
  `The account runs ${limit} functions at once, and has ${available} of them to reserve, not ${wanted}: lower reservedConcurrency in serverless.yml, or have the limit raised (docs/deployment.md, "Once per account").`;

test.each([
  ['a new account', 10, 10, undefined, { fold: 2 }, refusal(10, 0, 2)],
  ['a new account that reserves nothing', 10, 10, undefined, {}, undefined],
  ['a large account', 1_000, 1_000, undefined, { fold: 900 }, undefined],
  ['a large account with too many', 1_000, 1_000, undefined, { fold: 880, list: 21 }, refusal(1_000, 900, 901)],
  ['others in the account', 1_000, 150, undefined, { fold: 51 }, refusal(1_000, 50, 51)],
  ['its own reservation of before', 1_000, 100, 20, { fold: 20 }, undefined],
])('%s decides what a stage may reserve', async (_, limit, free, own, reserved: Record<string, number>, expected) => {
  vi.spyOn(LambdaClient.prototype, 'send').mockImplementation(async ({ input }: { input: object }) => {
    if (!('FunctionName' in input))
      return { AccountLimit: { ConcurrentExecutions: limit, UnreservedConcurrentExecutions: free } };
    if (own === undefined) throw new ResourceNotFoundException({ message: 'Function not found', $metadata: {} });
    return { ReservedConcurrentExecutions: own };
  });
  const functions = Object.entries(reserved).map(([name, reservedConcurrency]) => [
    name,
    { name, reservedConcurrency },
  ]);
  expect(await refusalOfReservations({}, Object.fromEntries(functions))).toBe(expected);
});
