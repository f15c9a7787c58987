import type { RequestListener } from 'node:http';
import { GetCommand, QueryCommand, type QueryCommandInput } from '@aws-sdk/lib-dynamodb';
import { beforeEach, describe, expect, onTestFinished, test } from 'vitest';
import { createDynamo } from '../../../lib/dynamodb/client.ts';
import { systemRuntime, withDeadline } from '../../../lib/ground/index.ts';
import { serveForTest } from '../../support/programs.ts';
import { startSwallowingProxy } from '../../support/servers.ts';

const whole = '{"Item":{"id":{"N":"1"}},"ConsumedCapacity":{"TableName":"t","CapacityUnits":1}}';

let listener: RequestListener;
let attempts: number;
let cut: number;

/** The server of a test. */
const serve = () =>
  serveForTest((request, response) => {
    attempts++;
    request.resume();
    response.on('close', () => {
      if (!response.writableFinished) cut++;
    });
    listener(request, response);
  });

const client = async (runtime = {}, more = {}) =>
  createDynamo({ endpoint: await serve(), runtime: { ...systemRuntime, sleep: async () => {}, ...runtime }, ...more });

const GET = new GetCommand({ TableName: 't', Key: { id: 1 } });
const get = async (runtime = {}, more = {}) => (await client(runtime, more)).send(GET);

const query = async (more: Partial<QueryCommandInput> = {}) =>
  (await client()).send(new QueryCommand({ TableName: 't', KeyConditionExpression: 'pk = :pk', ...more }));

beforeEach(() => {
  attempts = 0;
  cut = 0;
});

test.each<[string, RequestListener]>([
  ['without a response', () => {}],
  ['half way through the response', (_, response) => void response.writeHead(200).write('{"Item":')],
])('an attempt that reaches the deadline %s is cut off at the socket, and is the last', async (_, respond) => {
  let now = 0;
  // The first request opens a connection, so the next one arrives at once. Its attempt has 300 ms, and then the time is over.
  listener = (_, response) => response.end(whole);
  const dynamo = await client({ now: () => now });
  await dynamo.send(GET);
  listener = (request, response) => {
    now = 301;
    respond(request, response);
  };
  const call = withDeadline(300, () => dynamo.send(GET));
  await expect(call).rejects.toMatchObject({ status: 503, headers: { 'retry-after': '1' } });
  await expect.poll(() => cut).toBe(1);
  expect(attempts).toBe(2);
});

test('an attempt without a whole response is cut off when its time is over, and repeated', async () => {
  listener = (_, response) => {
    if (attempts === 1) response.writeHead(200).write('{"Item":');
    else response.end(whole);
  };
  expect((await get({}, { attemptMs: 100 })).Item).toEqual({ id: 1 });
  await expect.poll(() => cut).toBe(1);
  expect(attempts).toBe(2);
});

test('an attempt does not begin after a pause in which the container was frozen', async () => {
  let now = 1_000;
  listener = (_, response) => response.writeHead(500).end('{}');
  const sleep = async () => {
    now += 3_600_000;
  };
  await expect(withDeadline(9_000, () => get({ now: () => now, sleep }))).rejects.toMatchObject({ status: 503 });
  expect(attempts).toBe(1);
});

test('a write of one item that meets a transaction is tried again after some milliseconds', async () => {
  const pauses: number[] = [];
  listener = (_, response) => {
    if (attempts < 3) response.writeHead(400).end('{"__type":"x#TransactionConflictException"}');
    else response.end('{"ConsumedCapacity":{}}');
  };
  await get({ sleep: async (milliseconds: number) => pauses.push(milliseconds), random: () => 0.5 });
  expect(pauses).toEqual([5, 10]);
});

describe('a response', () => {
  test.each([
    ['empty', 200, ''],
    ['without members', 200, '{}'],
    ['of a proxy', 200, '<html>Hello</html>'],
    ['with half an error', 400, '{"__type":"x#Thrott'],
  ])('%s is refused, and the request is sent again', async (_, status, text) => {
    listener = (_, response) => {
      if (attempts === 1) response.writeHead(status).end(text);
      else response.end(whole);
    };
    expect((await get()).Item).toEqual({ id: 1 });
    expect(attempts).toBe(2);
  });

  test('of a query without its items is refused in every attempt', async () => {
    listener = (_, response) => response.end('{"Count":1,"ConsumedCapacity":{"TableName":"t","CapacityUnits":1}}');
    await expect(query()).rejects.toMatchObject({ status: 503, message: /BrokenResponse/ });
    expect(attempts).toBe(3);
  });
});

test('kept connections that were dropped without a word cost one attempt, however many they are', async () => {
  listener = (_, response) => response.end(whole);
  const proxy = await startSwallowingProxy(await serve());
  onTestFinished(proxy.stop);
  const dynamo = createDynamo({ endpoint: proxy.url, attemptMs: 300 });
  await Promise.all([1, 2, 3, 4].map(() => dynamo.send(GET)));
  expect(proxy.connections()).toBe(4);
  proxy.swallow();
  await dynamo.send(GET);
  expect([attempts, proxy.connections()]).toEqual([5, 5]);
});
