import {
  GetAccountSettingsCommand,
  GetFunctionConcurrencyCommand,
  LambdaClient,
  ResourceNotFoundException,
} from '@aws-sdk/client-lambda';
import type { ClientConfig } from './stage.ts';

interface Functions {
  [name: string]: { name: string; reservedConcurrency?: number };
}

/**
 * Reserves concurrency: the maximum number of calls of a function that run at once, which is also kept free for it.
 *
 * @returns what is wrong with the setting, in one sentence
 */
export function reserve(functions: Functions, reserved: Record<string, number>): string | undefined {
  for (const [name, calls] of Object.entries(reserved)) {
    const definition = functions[name];
    if (!definition) return `reservedConcurrency in serverless.yml names ${name}, which is no function.`;
    definition.reservedConcurrency = calls;
  }
  return undefined;
}

/** https://docs.aws.amazon.com/lambda/latest/dg/configuration-concurrency.html: a large account keeps a hundred. A new one has ten, and keeps them. */
const unreservable = (limit: number): number => (limit >= 1_000 ? 100 : 10);

/** What a function of the stage has reserved already, which a deployment gives back. */
async function reservedBy(client: LambdaClient, FunctionName: string): Promise<number> {
  try {
    const found = await client.send(new GetFunctionConcurrencyCommand({ FunctionName }));
    return found.ReservedConcurrentExecutions ?? 0;
  } catch (error) {
    if (error instanceof ResourceNotFoundException) return 0;
    throw error;
  }
}

const sum = (values: readonly number[]): number => values.reduce((total, value) => total + value, 0);

/** Why the account cannot reserve what a stage asks for, in one sentence. Undefined if it can. */
export async function refusalOfReservations(config: ClientConfig, functions: Functions): Promise<string | undefined> {
  const reserving = Object.values(functions).filter(({ reservedConcurrency = 0 }) => reservedConcurrency > 0);
  if (reserving.length === 0) return undefined;
  const client = new LambdaClient(config);
  const [{ AccountLimit }, ...own] = await Promise.all([
    client.send(new GetAccountSettingsCommand({})),
    ...Object.values(functions).map(({ name }) => reservedBy(client, name)),
  ]);
  const { ConcurrentExecutions: limit = 0, UnreservedConcurrentExecutions: free = 0 } = AccountLimit ?? {};
  const wanted = sum(reserving.map(({ reservedConcurrency = 0 }) => reservedConcurrency));
  const available = Math.max(0, free + sum(own) - unreservable(limit));
  if (wanted <= available) return undefined;
  return `The account runs ${limit} functions at once, and has ${available} of them to reserve, not ${wanted}: lower reservedConcurrency in serverless.yml, or have the limit raised (docs/deployment.md, "Once per account").`;
}
