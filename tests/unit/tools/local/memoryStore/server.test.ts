import { once } from 'node:events';
import { createServer, type IncomingMessage, request } from 'node:http';
import { json } from 'node:stream/consumers';
import { afterAll, expect, test } from 'vitest';
import { serveStore } from '../../../../../tools/local/memoryStore/server.ts';
import { close, listen } from '../../../../support/servers.ts';

/** fake.test.ts compares what the service asks. This is what it never asks. */
const server = createServer(serveStore());
const { port } = new URL(await listen(server));
afterAll(() => close(server));

async function ask(operation: string, body: unknown, headers: Record<string, string> = {}) {
  const options = { port, method: 'POST', headers: { 'x-amz-target': `DynamoDB_20120810.${operation}`, ...headers } };
  const sent = request(options).end(typeof body === 'string' ? body : JSON.stringify(body));
  const [response] = (await once(sent, 'response')) as [IncomingMessage];
  return { status: response.statusCode, ...((await json(response)) as object) };
}

const KeySchema = [{ AttributeName: 'id', KeyType: 'HASH' }];
await ask('CreateTable', { TableName: 'things', KeySchema });
await ask('PutItem', { TableName: 'things', Item: { id: { N: '1' }, of: { M: { one: { L: [{ BOOL: true }] } } } } });

const refusal = (name: string, message: unknown) => ({
  status: 400,
  __type: `com.amazonaws.dynamodb.v20120810#${name}`,
  message,
});

test('a store answers to the names of this machine, and to no name that only leads there', async () => {
  const table = { TableName: 'things' };
  expect(await ask('DescribeTable', table, { host: 'localhost:1' })).toMatchObject({ status: 200, Table: table });
  expect(await ask('DescribeTable', table, { host: `web.example:${port}` })).toEqual(
    refusal('UnrecognizedClientException', 'The store has no such name'),
  );
});

test('values are stored with their types', async () => {
  expect(await ask('GetItem', { TableName: 'things', Key: { id: { N: '1' } } })).toMatchObject({
    Item: { id: { N: '1' }, of: { M: { one: { L: [{ BOOL: true }] } } } },
  });
});

test.each([
  ['a command', 'TagResource', {}],
  ['a filter', 'Scan', { TableName: 'things', FilterExpression: 'a = :a' }],
  ['a set', 'PutItem', { TableName: 'things', Item: { id: { NS: ['1'] } } }],
  ['a body that is no JSON', 'GetItem', 'no JSON'],
  ['code in an expression', 'DeleteItem', { TableName: 'things', Key: {}, ConditionExpression: "a['b']()" }],
  [
    'what is no attribute, but in every object',
    'DeleteItem',
    {
      TableName: 'things',
      Key: { id: { N: '1' } },
      ConditionExpression: '#a.#a(:code)()',
      ExpressionAttributeNames: { '#a': 'constructor' },
      ExpressionAttributeValues: { ':code': { S: 'throw new Error("run")' } },
    },
  ],
])('%s is an error of the request', async (_, operation, body) => {
  expect(await ask(operation, body)).toEqual(refusal('ValidationException', expect.not.stringMatching(/run$/)));
});
