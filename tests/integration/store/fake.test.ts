import {
  BatchExecuteStatementCommand,
  BatchWriteCommand,
  type DynamoDBDocumentClient,
  GetCommand,
  PutCommand,
  QueryCommand,
  ScanCommand,
  TransactWriteCommand,
  type TransactWriteCommandInput,
  UpdateCommand,
} from '@aws-sdk/lib-dynamodb';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { systemRuntime } from '../../../lib/runtime.ts';
import type { TableNames } from '../../../lib/users/database.ts';
import { USERS_INDEXES } from '../../../lib/users/indexes.ts';
import { beginStage } from '../../../lib/users/journal/newStage.ts';
import { filtersOf } from '../../../lib/users/keys.ts';
import { keyIn, listOf } from '../../../lib/users/lists.ts';
import { SIZES } from '../../../lib/users/sizes.ts';
import type { User } from '../../../lib/users/user.ts';
import { userItem } from '../../../lib/users/userItem.ts';
import { userFields } from '../../support/arbitraries.ts';
import { FakeStore, TABLES } from '../../support/fake/store.ts';
import { serviceOn } from '../../support/service.ts';

/** `npm run test:long` sends more. */
const STEPS = process.env.LONG ? 20_000 : 800;
const SEED = Number(process.env.FAKE_SEED ?? 20_261_121);

type Command =
  | BatchExecuteStatementCommand
  | BatchWriteCommand
  | GetCommand
  | PutCommand
  | QueryCommand
  | ScanCommand
  | TransactWriteCommand
  | UpdateCommand;
/** The same request for both stores, with their own table names. */
type Step = (tables: TableNames) => Command;

const pk = fc.constantFrom('a', 'journal');
const sk = fc.constantFrom('\0', '#head', 'a', 'a\0', 'ab', 'b', 'é', '\uE000', '\uFFFD', '😀', '\u{10FFFF}\u0002');
const small = fc.nat(3);
const key = fc.record({ pk, sk });

const item = fc.record({ pk, sk, revision: small, epoch: small, total: small, data: fc.uint8Array({ maxLength: 9 }) });

const condition = fc.oneof(
  fc.constant({}),
  fc.constant({ ConditionExpression: 'attribute_not_exists(pk)' }),
  small.map((revision) => ({
    ConditionExpression: 'revision = :revision',
    ExpressionAttributeValues: { ':revision': revision },
  })),
);

/** Conditions of the head, as the service writes them. */
const update = fc
  .tuple(
    key,
    small,
    fc.constantFrom(
      {
        UpdateExpression: 'SET epoch = :next, #total = :next',
        ConditionExpression:
          'attribute_not_exists(pk) OR (epoch = :read AND attribute_not_exists(#batch) AND (attribute_not_exists(heldUntil) OR heldUntil < :read OR heldUntil > :next))',
        names: ['#total', '#batch'],
        values: [':next', ':read'],
      },
      {
        UpdateExpression: 'SET heldUntil = :read, epoch = if_not_exists(epoch, :next), #batch = :next',
        names: ['#batch'],
        values: [':next', ':read'],
      },
      {
        UpdateExpression: 'REMOVE #batch',
        ConditionExpression: 'epoch = :read AND attribute_exists(#batch)',
        names: ['#batch'],
        values: [':read'],
      },
    ),
  )
  .map(([Key, n, { names, values, ...expressions }]) => ({
    Key,
    ...expressions,
    ExpressionAttributeNames: Object.fromEntries(names.map((name) => [name, name.slice(1)])),
    ExpressionAttributeValues: Object.fromEntries(values.map((name, i) => [name, (n + i) % 4])),
  }));

const user: fc.Arbitrary<User> = fc
  .tuple(fc.integer({ min: 1, max: 12 }), fc.integer({ min: 1, max: 3 }), userFields)
  .map(([id, version, fields]) => ({ id, version, ...fields }));

const userWrite = fc.tuple(user, fc.boolean(), fc.boolean()).map(([given, isDelete, isNew]) => (tables: TableNames) => {
  const guard = isNew
    ? { ConditionExpression: 'attribute_not_exists(id)' }
    : { ConditionExpression: 'version = :version', ExpressionAttributeValues: { ':version': given.version } };
  return isDelete
    ? { Delete: { TableName: tables.users, Key: { id: given.id }, ...guard } }
    : { Put: { TableName: tables.users, Item: userItem({ ...given, version: given.version + 1 }), ...guard } };
});

const pageWrite = fc.tuple(item, condition).map(([Item, guard]) => (tables: TableNames) => ({
  Put: { TableName: tables.directory, Item, ...guard },
}));

const headWrite = update.map((given) => (tables: TableNames) => ({
  Update: { TableName: tables.directory, ...given },
}));

type WriteOf = (tables: TableNames) => NonNullable<TransactWriteCommandInput['TransactItems']>[number];

/** A transaction may write an item only once. */
function keyOfWrite(write: WriteOf): string {
  const { Put, Delete, Update } = write(TABLES);
  const { id, pk, sk } = Put?.Item ?? (Delete ?? Update)?.Key ?? {};
  return JSON.stringify([id, pk, sk]);
}

const transaction = fc
  .tuple(
    fc.uniqueArray(fc.oneof<fc.Arbitrary<WriteOf>[]>(userWrite, userWrite, pageWrite, headWrite), {
      minLength: 1,
      maxLength: 3,
      selector: keyOfWrite,
    }),
    fc.uuid(),
  )
  .map(
    ([writes, ClientRequestToken]): Step =>
      (tables) =>
        new TransactWriteCommand({ TransactItems: writes.map((write) => write(tables)), ClientRequestToken }),
  );

const range = fc.oneof(
  fc.constant({ text: '', values: {} }),
  sk.map((from) => ({ text: ' AND sk >= :from', values: { ':from': from } })),
  sk.map((to) => ({ text: ' AND sk <= :to', values: { ':to': to } })),
  sk.map((after) => ({ text: ' AND sk > :after', values: { ':after': after } })),
  sk.map((below) => ({ text: ' AND sk < :below', values: { ':below': below } })),
  fc
    .tuple(sk, sk)
    .filter(([from, to]) => Buffer.compare(Buffer.from(from), Buffer.from(to)) <= 0)
    .map(([from, to]) => ({ text: ' AND sk BETWEEN :from AND :to', values: { ':from': from, ':to': to } })),
);

const limit = fc.option(fc.integer({ min: 1, max: 4 }), { nil: undefined });

const query = fc.tuple(pk, range, fc.boolean(), limit, fc.boolean()).map(
  ([partition, { text, values }, ScanIndexForward, Limit, isProjected]): Step =>
    (tables) =>
      new QueryCommand({
        TableName: tables.directory,
        KeyConditionExpression: `pk = :pk${text}`,
        ExpressionAttributeValues: { ':pk': partition, ...values },
        ConsistentRead: true,
        ScanIndexForward,
        ...(isProjected && { ProjectionExpression: 'sk' }),
        ...(Limit && { Limit }),
      }),
);

const indexQuery = fc.tuple(user, user, fc.nat(USERS_INDEXES.length - 1), fc.boolean(), limit, fc.boolean()).map(
  ([one, two, at, ScanIndexForward, Limit, isBounded]): Step =>
    (tables) => {
      const index = USERS_INDEXES[at];
      if (!index) throw new Error('No such index');
      const list = listOf(index, filtersOf(one));
      const keyOf = (given: User) => (index.order === 'id' ? given.id : keyIn(index, given));
      const bounds = [keyOf(one), keyOf(two)].sort((a, b) =>
        typeof a === 'number' && typeof b === 'number'
          ? a - b
          : Buffer.compare(Buffer.from(`${a}`), Buffer.from(`${b}`)),
      );
      return new QueryCommand({
        TableName: tables.users,
        IndexName: index.name,
        KeyConditionExpression: `#partition = :partition${isBounded ? ' AND #sort BETWEEN :low AND :high' : ''}`,
        ExpressionAttributeNames: { '#partition': index.partitionKey, ...(isBounded && { '#sort': index.sortKey }) },
        ExpressionAttributeValues: {
          ':partition': list.partition,
          ...(isBounded && { ':low': bounds[0], ':high': bounds[1] }),
        },
        ScanIndexForward,
        ...(Limit && { Limit }),
      });
    },
);

const batch = fc.uniqueArray(fc.tuple(item, fc.boolean()), {
  minLength: 1,
  maxLength: 4,
  selector: ([{ pk, sk }]) => pk + sk,
});

/** An INSERT, with an end or without, and an UPDATE of an item that has a revision. */
const statement = fc
  .tuple(item, fc.option(sk, { nil: undefined }), fc.boolean(), small)
  .map(([{ pk, sk, revision, epoch, data }, end, isNew, read]) => ({ directory }: TableNames) => {
    if (!isNew)
      return {
        Statement: `UPDATE "${directory}" SET "epoch" = ?, "revision" = ?, "data" = ? WHERE "pk" = ? AND "sk" = ? AND "revision" = ?`,
        Parameters: [epoch, revision, data, pk, sk, read],
      };
    const names = ['pk', 'sk', ...(end === undefined ? [] : ['end']), 'epoch', 'revision', 'data'];
    return {
      Statement: `INSERT INTO "${directory}" VALUE {${names.map((name) => `'${name}': ?`).join(', ')}}`,
      Parameters: [pk, sk, ...(end === undefined ? [] : [end]), epoch, revision, data],
    };
  });

/** Some of them write an item twice. */
const statements = fc.array(statement, { minLength: 1, maxLength: 4 });

const step: fc.Arbitrary<Step> = fc.oneof(
  { arbitrary: transaction, weight: 6 },
  { arbitrary: query, weight: 4 },
  { arbitrary: indexQuery, weight: 6 },
  {
    arbitrary: statements.map(
      (some): Step =>
        (tables) =>
          new BatchExecuteStatementCommand({ Statements: some.map((of) => of(tables)) }),
    ),
    weight: 3,
  },
  fc.tuple(item, condition).map(
    ([Item, guard]): Step =>
      ({ directory }) =>
        new PutCommand({ TableName: directory, Item, ...guard }),
  ),
  update.map(
    (given): Step =>
      ({ directory }) =>
        new UpdateCommand({ TableName: directory, ...given }),
  ),
  key.map(
    (Key): Step =>
      ({ directory }) =>
        new GetCommand({ TableName: directory, Key, ConsistentRead: true }),
  ),
  fc.integer({ min: 1, max: 12 }).map(
    (id): Step =>
      ({ users }) =>
        new GetCommand({ TableName: users, Key: { id }, ConsistentRead: true }),
  ),
  batch.map(
    (pairs): Step =>
      ({ directory }) =>
        new BatchWriteCommand({
          RequestItems: {
            [directory]: pairs.map(([Item, isDelete]) =>
              isDelete ? { DeleteRequest: { Key: { pk: Item.pk, sk: Item.sk } } } : { PutRequest: { Item } },
            ),
          },
        }),
  ),
);

const placeOf = ({ id, pk, sk }: Record<string, unknown>): string => JSON.stringify([id, pk, sk]);
const byPlace = (a: Record<string, unknown>, b: Record<string, unknown>) => (placeOf(a) < placeOf(b) ? -1 : 1);

interface Page {
  Items?: Record<string, unknown>[];
  Item?: object;
  Count?: number;
  Responses?: { Error?: { Code?: string } }[];
  LastEvaluatedKey?: Record<string, unknown>;
}

/** With this clock and chance, the first statistics of both stores have the same name. */
const SAME = { now: () => 1_790_000_000_000, random: () => 0.5 };

/** What can be compared of a response: the items of all pages, or the kind of refusal. */
async function ask(dynamo: DynamoDBDocumentClient, command: Command): Promise<unknown> {
  const isScan = command instanceof ScanCommand;
  try {
    const pages: unknown[] = [];
    let { input } = command as QueryCommand;
    for (;;) {
      const again = command instanceof QueryCommand ? new QueryCommand(input) : command;
      const { Items, Item, Count, Responses, LastEvaluatedKey } = (await dynamo.send(again as QueryCommand)) as Page;
      const codes = Responses?.map((response) => response.Error?.Code ?? 'None');
      pages.push({ Items: isScan ? Items?.toSorted(byPlace) : Items, Item, Count, codes });
      if (!LastEvaluatedKey) break;
      input = { ...input, ExclusiveStartKey: LastEvaluatedKey };
    }
    // If a limit ends at the last item, DynamoDB may say so at once or with an empty page.
    return pages.filter((page, i) => i === 0 || (page as Page).Count !== 0);
  } catch (error) {
    const {
      name: named,
      message,
      CancellationReasons,
    } = error as Error & { CancellationReasons?: { Code?: string }[] };
    // The client of the service puts the name of DynamoDB's error at the end of its message.
    const name = message.endsWith('ValidationException') ? 'ValidationException' : named;
    return { name, codes: CancellationReasons?.map(({ Code }) => Code ?? 'None') };
  }
}

test(
  'the store in memory responds like the embedded DynamoDB',
  async () => {
    const { dynamo, tables } = await serviceOn.embedded({ clock: SAME });
    const fake = new FakeStore({ now: Date.now });
    await beginStage({ dynamo: fake.client(), tables: TABLES, runtime: { ...systemRuntime, ...SAME }, sizes: SIZES });
    const outcomes: Record<string, number> = {};
    const compare = async (of: Step, i: number) => {
      const [wanted, got] = [await ask(dynamo, of(tables)), await ask(fake.client(), of(TABLES))];
      const command = of(TABLES);
      expect({ i, command, response: got }).toEqual({ i, command, response: wanted });
      const kind = `${command.constructor.name} ${(wanted as { name?: string }).name ?? 'done'}`;
      for (const outcome of [kind, ...((wanted as { codes?: string[] }[])[0]?.codes ?? [])])
        outcomes[outcome] = (outcomes[outcome] ?? 0) + 1;
    };
    const steps = fc.sample(step, { seed: SEED, numRuns: STEPS });
    for (const [i, each] of steps.entries()) {
      await compare(each, i);
      // The same command again: DynamoDB recognises the token of a transaction.
      if (i % 5 === 0) await compare(each, i);
      if (i % 100 === 99)
        for (const of of ['users', 'directory'] as const)
          await compare((names) => new ScanCommand({ TableName: names[of] }), i);
    }
    const refused = ['PutCommand ConditionalCheckFailedException', 'UpdateCommand ConditionalCheckFailedException'];
    const ofStatements = ['None', 'DuplicateItem', 'ConditionalCheckFailed'];
    for (const kind of [
      ...refused,
      ...ofStatements,
      'BatchExecuteStatementCommand ValidationException',
      'TransactWriteCommand done',
      'TransactWriteCommand TransactionCanceledException',
    ]) {
      expect(outcomes[kind] ?? 0).toBeGreaterThan(10);
    }
  },
  120_000 + STEPS * 50,
);
