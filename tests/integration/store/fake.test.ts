import { type ConsumedCapacity, DeleteTableCommand, DynamoDBClient } from '@aws-sdk/client-dynamodb';
import {
  BatchExecuteStatementCommand,
  type BatchExecuteStatementCommandInput,
  BatchWriteCommand,
  type DynamoDBDocumentClient,
  GetCommand,
  PutCommand,
  paginateScan,
  QueryCommand,
  type QueryCommandInput,
  ScanCommand,
  TransactWriteCommand,
  UpdateCommand,
} from '@aws-sdk/lib-dynamodb';
import fc from 'fast-check';
import { expect, onTestFinished, test } from 'vitest';
import { createDynamo } from '../../../lib/dynamodb/index.ts';
import { type Runtime, systemRuntime } from '../../../lib/ground/index.ts';
import { ensureBase } from '../../../lib/replica/internals.ts';
import { createMissingTables } from '../../../tools/deploy/tables.ts';
import { isEmbedded } from '../../../tools/local/localStore.ts';
import { serveStore } from '../../../tools/local/memoryStore/server.ts';
import { templateTables } from '../../../tools/local/templateTables.ts';
import { verify } from '../../../tools/verify/verify.ts';
import { countries, sort, statuses, userFields } from '../../support/arbitraries.ts';
import { type Call, TABLES } from '../../support/fake/store.ts';
import { serveForTest } from '../../support/programs.ts';
import { askAfter, askAll, askCounts, askPage } from '../../support/questions.ts';
import { serviceOn, type TestService } from '../../support/service.ts';

/** `npm run test:long` takes more. */
const STEPS = process.env.LONG ? 3_000 : 100;
const SEED = Number(process.env.FAKE_SEED ?? 20_261_121);

/** A few users have batches, deltas and bases of several parts, and merges. */
const LOW = { batchEntries: 6, deltaCharacters: 80, manyUsers: 6, partBytes: 400, mergeLeast: 6, mergeShare: 0.1 };

/** The commands of the service whose responses can be compared. */
const COMMANDS: Record<string, new (input: never) => object> = {
  ...{ BatchExecuteStatementCommand, BatchWriteCommand, GetCommand, PutCommand, QueryCommand, ScanCommand },
  ...{ TransactWriteCommand, UpdateCommand },
};

/** Something that is asked of the service. The ids are those of all users. */
type Step = (service: TestService, ids: number[]) => Promise<unknown>;

const ofOne = (step: (service: TestService, id: number) => Promise<unknown>) =>
  fc.nat().map(
    (n): Step =>
      async (service, ids) =>
        ids.length > 0 && step(service, ids[n % ids.length] ?? 0),
  );

const asked = fc.record(
  {
    sort,
    status: fc.constantFrom(...statuses),
    country: fc.constantFrom(...countries),
    page: fc.nat(3),
    size: fc.integer({ min: 1, max: 7 }),
  },
  { requiredKeys: [] },
);

const step: fc.Arbitrary<Step> = fc.oneof(
  fc.array(userFields, { minLength: 1, maxLength: 6 }).map(
    (some): Step =>
      async ({ users }, ids) => {
        ids.push(...(await users.createMany(some)).map(({ id }) => id));
      },
  ),
  userFields.chain((fields) => ofOne(({ users }, id) => users.update(id, () => fields))),
  fc.tuple(userFields, fc.nat()).map(
    ([fields, n]): Step =>
      async ({ users }, ids) => {
        const [id] = ids.splice(n % Math.max(ids.length, 1), 1);
        if (id === undefined) return;
        await users.delete(id);
        ids.push((await users.createWithId(id, fields)).id);
      },
  ),
  fc.constantFrom('a', 'b').map(
    (key): Step =>
      ({ users }) =>
        users.createOnce({ key, fields: { name: key } }).then(({ user }) => user),
  ),
  fc.constant<Step>(({ fold }) => fold()),
  fc.constant<Step>((service) => verify(service, { always: true })),
  asked.map(
    (query): Step =>
      ({ listing }) =>
        askPage(listing, query),
  ),
  sort.map(
    (order): Step =>
      ({ listing }) =>
        askAll(listing, order),
  ),
  asked.map(
    (query): Step =>
      ({ listing }) =>
        askCounts(listing, query, ['status']),
  ),
  ofOne(({ listing }, id) => askAfter(listing, {}, id, 3)),
  ofOne(({ changes }, id) => changes.history({ id, before: undefined, size: 3 })),
  ofOne(({ changes }, id) => changes.erase(id)),
  fc.constant<Step>(({ changes }) => changes.feed({ after: undefined, size: 3 })),
);

type Item = Record<string, unknown>;

interface Response {
  Items?: Item[];
  Item?: Item;
  LastEvaluatedKey?: Item;
  Responses?: { Error?: { Code?: string } }[];
  ConsumedCapacity?: ConsumedCapacity | ConsumedCapacity[];
}

const placeOf = ({ id, pk, sk }: Item): string => JSON.stringify([id, pk, sk]);
const inOrder = (items: Item[]) => items.toSorted((a, b) => (placeOf(a) < placeOf(b) ? -1 : 1));

/** The members of a response, or of a refusal, that can be compared. */
function comparable({ command }: Call, settled: PromiseSettledResult<unknown>) {
  if (settled.status === 'rejected') {
    const { name, message, CancellationReasons } = settled.reason;
    // The client of the service puts the name of DynamoDB's error at the end of its message.
    const refusal = message.endsWith('ValidationException') ? 'ValidationException' : name;
    return { refusal, codes: CancellationReasons?.map(({ Code = 'None' }) => Code) };
  }
  // A copy has plain bytes, where a store may have buffers.
  const { Items, Item, Responses, ConsumedCapacity = [] } = structuredClone(settled.value as Response);
  const units = [ConsumedCapacity].flat().reduce((sum, { CapacityUnits = 0 }) => sum + CapacityUnits, 0);
  const codes = Responses?.map(({ Error: error }) => error?.Code ?? 'None');
  return {
    // Each store scans in an order of its own.
    Items: Items && (command === 'ScanCommand' ? inOrder(Items) : Items),
    Item,
    // Of statements that write nothing the embedded store counts some. DynamoDB Local counts otherwise.
    units: codes?.some((code) => code !== 'None') || process.env.TEST_DYNAMODB ? 'any' : units,
    codes,
  };
}

/** Calls like this one: once more, without a token, with a statement twice, or in another direction, in small parts, without its bound. */
function similar({ command, input }: Call, n: number): Call[] {
  const { Statements = [], ClientRequestToken: _, ...others } = input as BatchExecuteStatementCommandInput & Item;
  const again = (more: object) => ({ command, input: { ...others, ...more } });
  if (command === 'QueryCommand') {
    const [ScanIndexForward, Limit] = [n % 2 === 0, 1 + (n % 4)];
    const KeyConditionExpression = String(others.KeyConditionExpression).replace(/([<>])=/, '$1');
    return [again({ ScanIndexForward, Limit }), again({ ScanIndexForward, KeyConditionExpression })];
  }
  if (command === 'TransactWriteCommand') return [{ command, input }, again({})];
  if (command === 'BatchExecuteStatementCommand')
    return [{ command, input }, again({ Statements: [...Statements, ...Statements.slice(0, 1)] })];
  return [{ command, input }];
}

/** The client of another store in memory, which is a server. It has the clock of the service: a deadline of that holds for its calls. */
async function openDoor(runtime: Runtime) {
  const endpoint = await serveForTest(serveStore());
  await createMissingTables(new DynamoDBClient({ endpoint }), templateTables(TABLES));
  return createDynamo({ endpoint, runtime });
}

test.runIf(process.env.TEST_DYNAMODB || isEmbedded())(
  'the store in memory responds like the embedded DynamoDB, and like DynamoDB Local, to what the service asks, and to similar calls',
  async () => {
    const { store, processOf, pass, runtime } = serviceOn.memory({ limits: LOW, historyDays: 7 });
    const clock = { now: runtime.now };
    const { dynamo } = await serviceOn.embedded({ tables: TABLES, clock, isNew: true });
    onTestFinished(async () => {
      for (const TableName of Object.values(TABLES)) await dynamo.send(new DeleteTableCommand({ TableName }));
    });
    const door = await openDoor({ ...systemRuntime, ...clock });
    const outcomes: Record<string, number> = {};

    async function compare(call: Call): Promise<PromiseSettledResult<unknown>> {
      const Command = COMMANDS[call.command] as typeof QueryCommand;
      const send = (client: DynamoDBDocumentClient) => client.send(new Command(call.input as QueryCommandInput));
      const [wanted, served, got] = await Promise.allSettled([send(dynamo), send(door), store.execute(call)]);
      const expected = comparable(call, wanted);
      for (const settled of [got, served])
        expect({ call, response: comparable(call, settled) }).toEqual({ call, response: expected });
      for (const outcome of [`${call.command} ${expected.refusal ?? 'done'}`, ...(expected.codes ?? [])])
        outcomes[outcome] = (outcomes[outcome] ?? 0) + 1;
      return got;
    }

    async function compareToEnd(call: Call): Promise<void> {
      const got = await compare(call);
      const { LastEvaluatedKey: ExclusiveStartKey } = got.status === 'fulfilled' ? (got.value as Response) : {};
      if (ExclusiveStartKey) await compareToEnd({ ...call, input: { ...(call.input as object), ExclusiveStartKey } });
    }

    /** DynamoDB scans a megabyte at a time. */
    async function compareItems(TableName: string): Promise<void> {
      const wanted: Item[] = [];
      for await (const { Items = [] } of paginateScan({ client: dynamo }, { TableName })) wanted.push(...Items);
      const { Items = [] } = (await store.execute({ command: 'ScanCommand', input: { TableName } })) as Response;
      const [got, expected] = [Items, wanted].map((items) => inOrder(structuredClone(items)));
      expect(got).toEqual(expected);
    }

    let calls = 0;
    const service = processOf(async (call, execute) => {
      // Each store leaves other keys of a batch unread, and has other segments.
      if (call.command === 'BatchGetCommand' || 'Segment' in (call.input as Item)) return execute();
      const got = await compare(call);
      // There are few of these, and which call is the fourth depends on the speed of the machine.
      if (['UpdateCommand', 'BatchExecuteStatementCommand'].includes(call.command) || calls++ % 4 === 0)
        for (const other of similar(call, calls)) await compareToEnd(other);
      if (got.status === 'rejected') throw got.reason;
      return got.value;
    });
    const ids: number[] = [];
    await ensureBase(service);
    for (const [i, ask] of fc.sample(step, { seed: SEED, numRuns: STEPS }).entries()) {
      await ask(service, ids);
      // The former base and its deltas are swept.
      if (i % 5 === 4) pass(700_000);
      if (i % 20 === 19) for (const TableName of Object.values(TABLES)) await compareItems(TableName);
    }
    await compare({ command: 'ScanCommand', input: { TableName: TABLES.users, ConsistentRead: true } });
    for (const outcome of [
      ...['TransactWriteCommand done', 'TransactWriteCommand TransactionCanceledException'],
      ...['BatchExecuteStatementCommand done', 'BatchExecuteStatementCommand ValidationException'],
      ...[
        'UpdateCommand done',
        'UpdateCommand ConditionalCheckFailedException',
        'ScanCommand done',
        'None',
        'DuplicateItem',
        'ConditionalCheckFailed',
      ],
    ])
      expect(outcomes[outcome] ?? 0, outcome).toBeGreaterThan(0);
  },
  120_000 + STEPS * 500,
);
