import { randomUUID } from 'node:crypto';
import { GetCommand, PutCommand } from '@aws-sdk/lib-dynamodb';
import { beforeAll, beforeEach, describe, expect, inject, test } from 'vitest';
import { createDynamo } from '../../lib/dynamodb/client.ts';
import { executeStatements, type Statement } from '../../lib/dynamodb/statements.ts';
import { metered } from '../../lib/metering.ts';
import { injectFaults } from '../support/faults.ts';
import { startRecordingStore } from '../support/recordingStore.ts';
import { serviceOn, type TestService } from '../support/service.ts';

interface Node {
  pk: string;
  sk: string;
  end?: string;
  epoch: number;
  revision: number;
  data: Uint8Array;
}

let service: TestService;
let pk: string;

beforeAll(async () => {
  service = await serviceOn.embedded({ clock: { sleep: async () => {} } });
});

beforeEach(() => {
  pk = randomUUID();
});

const bytes = (...values: number[]) => new Uint8Array(values);

const node = (sk: string, more: Partial<Node> = {}): Node => ({
  pk,
  sk,
  epoch: 1,
  revision: 1,
  data: bytes(7),
  ...more,
});

const insert = ({ pk, sk, end, epoch, revision, data }: Node): Statement =>
  end === undefined
    ? {
        Statement: `INSERT INTO "${service.tables.directory}" VALUE {'pk': ?, 'sk': ?, 'epoch': ?, 'revision': ?, 'data': ?}`,
        Parameters: [pk, sk, epoch, revision, data],
      }
    : {
        Statement: `INSERT INTO "${service.tables.directory}" VALUE {'pk': ?, 'sk': ?, 'end': ?, 'epoch': ?, 'revision': ?, 'data': ?}`,
        Parameters: [pk, sk, end, epoch, revision, data],
      };

const update = ({ pk, sk, epoch, revision, data }: Node, read: number): Statement => ({
  Statement: `UPDATE "${service.tables.directory}" SET "epoch" = ?, "revision" = ?, "data" = ? WHERE "pk" = ? AND "sk" = ? AND "revision" = ?`,
  Parameters: [epoch, revision, data, pk, sk, read],
});

const execute = (...statements: Statement[]) => executeStatements(service, statements);

/** The item as it is stored. */
async function stored(sk: string): Promise<Record<string, unknown> | undefined> {
  const TableName = service.tables.directory;
  const { Item } = await service.dynamo.send(new GetCommand({ TableName, Key: { pk, sk }, ConsistentRead: true }));
  return Item && { ...Item, data: [...Item.data] };
}

describe('an INSERT', () => {
  test('writes a missing item, with or without an end, and any text', async () => {
    const sk = `'"?\0\u{10FFFF}\u0002😀`;
    expect(await execute(insert(node('\0')), insert(node(sk, { end: 'é', data: bytes() })))).toEqual([true, true]);
    expect(await stored('\0')).toEqual({ pk, sk: '\0', epoch: 1, revision: 1, data: [7] });
    expect(await stored(sk)).toEqual({ pk, sk, end: 'é', epoch: 1, revision: 1, data: [] });
  });

  test('leaves an existing item as it is', async () => {
    await execute(insert(node('a', { end: 'z' })));
    expect(await execute(insert(node('a', { epoch: 2, data: bytes(8) })), insert(node('b')))).toEqual([false, true]);
    expect(await stored('a')).toEqual({ pk, sk: 'a', end: 'z', epoch: 1, revision: 1, data: [7] });
  });
});

describe('an UPDATE', () => {
  test('changes an item of the revision that was read, and keeps its end', async () => {
    await execute(insert(node('a', { end: 'z' })), insert(node('b')));
    const changes = [update(node('a', { epoch: 5, revision: 2, data: bytes(0, 255) }), 1)];
    expect(await execute(...changes)).toEqual([true]);
    expect(await stored('a')).toEqual({ pk, sk: 'a', end: 'z', epoch: 5, revision: 2, data: [0, 255] });
    expect(await stored('b')).toEqual({ pk, sk: 'b', epoch: 1, revision: 1, data: [7] });
  });

  test('leaves an item of another revision as it is', async () => {
    await execute(insert(node('a', { revision: 3 })));
    expect(await execute(update(node('a', { revision: 3, data: bytes(8) }), 2))).toEqual([false]);
    expect(await stored('a')).toEqual({ pk, sk: 'a', epoch: 1, revision: 3, data: [7] });
  });

  test('makes no item of a missing one', async () => {
    expect(await execute(update(node('a', { revision: 2 }), 1))).toEqual([false]);
    expect(await stored('a')).toBeUndefined();
  });
});

describe('a batch of statements', () => {
  test('whose response was lost has written, and is told so when it is sent again', async () => {
    await execute(insert(node('a')));
    const { attempts } = injectFaults(service.dynamo, 'BatchExecuteStatementCommand', ['response lost']);
    expect(await execute(update(node('a', { revision: 2 }), 1), insert(node('b')))).toEqual([false, false]);
    expect(attempts()).toBe(2);
    expect([(await stored('a'))?.revision, (await stored('b'))?.revision]).toEqual([2, 1]);
  });

  test('that writes one item twice is refused as a whole', async () => {
    await expect(execute(insert(node('a')), insert(node('a')), insert(node('b')))).rejects.toMatchObject({
      status: 500,
      message: 'DynamoDB refused the request: ValidationException',
    });
    expect(await stored('b')).toBeUndefined();
  });

  test('with one that cannot be executed is a fault', async () => {
    const Statement = insert(node('a')).Statement.replace(service.tables.directory, 'nowhere');
    const wrong = { Statement, Parameters: insert(node('a')).Parameters };
    await expect(execute(insert(node('b')), wrong)).rejects.toMatchObject({
      status: 500,
      message: 'DynamoDB refused a statement: ResourceNotFound',
    });
  });
});

test('statements need permissions of their own, for the table in their text', async () => {
  const recording = await startRecordingStore(inject('endpoint'));
  const dynamo = createDynamo({ endpoint: recording.endpoint });
  const used = await recording.record(async () => {
    await executeStatements({ ...service, dynamo }, [insert(node('a')), insert(node('b')), update(node('c'), 1)]);
  });
  await recording.stop();
  dynamo.destroy();
  const { directory } = service.tables;
  expect(used).toEqual([`dynamodb:PartiQLInsert ${directory}`, `dynamodb:PartiQLUpdate ${directory}`]);
});

describe('write units', () => {
  const written = (write: () => Promise<unknown>) =>
    metered(async (meter) => {
      await write();
      return meter.writeUnits;
    });

  const put = (item: Node) => service.dynamo.send(new PutCommand({ TableName: service.tables.directory, Item: item }));

  test.each([
    [1, 1],
    [900, 1],
    [2_000, 3],
    [70_000, 69],
  ])('of a statement are those of a put: with %d bytes %d', async (length, units) => {
    const data = new Uint8Array(length);
    expect(await written(() => put(node('put', { data })))).toBe(units);
    expect(await written(() => execute(insert(node('a', { data }))))).toBe(units);
    expect(await written(() => put(node('put', { data, revision: 2 })))).toBe(units);
    expect(await written(() => execute(update(node('a', { data, revision: 2 }), 1)))).toBe(units);
  });

  test('of a batch are the sum of its statements', async () => {
    const sizes = Array.from({ length: 30 }, (_, i) => 1_024 * (i % 3) + 1);
    const all = sizes.map((length, i) => insert(node(`${i}`, { data: new Uint8Array(length) })));
    expect(await written(() => execute(...all))).toBe(60);
  });
});
