import { QueryCommand } from '@aws-sdk/lib-dynamodb';
import { context, event } from '../tests/support/events.ts';
import type { Store } from './data.ts';
import { type Cost, type Figure, summarize } from './figures.ts';
import { connectHandlers } from './handlers.ts';
import type { Title } from './lines.ts';

const ROUNDS = 15;
const WARM_UP_ROUNDS = 3;

/** The processor time of a call in milliseconds, for all threads of this process together. */
async function timeOf(call: () => Promise<unknown>, calls: number): Promise<number> {
  const start = process.cpuUsage();
  for (let i = 0; i < calls; i++) await call();
  const { user, system } = process.cpuUsage(start);
  return (user + system) / 1_000 / calls;
}

const bareQuery =
  ({ database: { dynamo, tables } }: Store) =>
  () =>
    dynamo.send(
      new QueryCommand({
        TableName: tables.users,
        IndexName: 'byId',
        KeyConditionExpression: 'k = :users',
        ExpressionAttributeValues: { ':users': 'user' },
        Limit: 20,
      }),
    );

/** Loads the handler into this process as Lambda does. */
async function loadHandler(store: Store) {
  connectHandlers(store);
  const { handler } = await import('../functions/listUsers.ts');
  return (query: string) => async () => {
    const { statusCode, body } = await handler(event(query), context);
    if (statusCode !== 200) throw new Error(`${query} was answered ${statusCode}: ${body}`);
  };
}

/** The calls take turns, so that a change in the speed of the machine meets all of them. */
export async function measureProcessor(store: Store, isQuick: boolean): Promise<[Title, Figure][]> {
  const ask = await loadHandler(store);
  const calls = [
    { call: bareQuery(store), each: 20 },
    { call: ask(''), each: 20 },
    { call: ask('country=DE'), each: 20 },
    { call: ask('keyword=a'), each: 2 },
  ];
  const [plain, filtered, keyword]: [Cost[], Cost[], Cost[]] = [[], [], []];
  for (let round = -WARM_UP_ROUNDS; round < (isQuick ? 3 : ROUNDS); round++) {
    const times: number[] = [];
    for (const { call, each } of calls) times.push(await timeOf(call, each));
    const [bare = 1, page = 1, pageOfCountry = 1, search = 1] = times;
    if (round < 0) continue;
    plain.push({ units: page / bare });
    filtered.push({ units: pageOfCountry / bare });
    keyword.push({ units: search / page });
  }
  return [
    ['first page, as a multiple of a bare Query of 20 users', summarize(plain)],
    ['first page of a country, as a multiple of the same', summarize(filtered)],
    ['keyword of one letter, as a multiple of the first page', summarize(keyword)],
  ];
}
