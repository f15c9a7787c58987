import { QueryCommand } from '@aws-sdk/lib-dynamodb';
import { expect, test } from 'vitest';
import { createDynamo } from '../../../lib/dynamodb/client.ts';
import { metered, systemRuntime } from '../../../lib/ground/index.ts';
import { serveForTest } from '../../support/programs.ts';

/** Longer than what the SDK itself reads, and than what is decoded at a time. */
const DATA = Buffer.from(Array.from({ length: 50_001 }, (_, i) => (i * 7) % 251));
const BASE64 = DATA.toString('base64');
const PRICE = '"ConsumedCapacity":{"TableName":"t","CapacityUnits":12.5}';
const WHOLE = `{"Items":[{"sk":{"S":"a"},"data":{"B":"${BASE64}"}}],"Count":1,${PRICE}}`;

/** The items of a Query for which a store sends these bodies one after another, and the units. */
async function itemsOf(...bodies: (string | { status: number; body: string })[]) {
  const endpoint = await serveForTest((request, response) => {
    request.resume();
    const next = bodies.shift() ?? '';
    const { status, body } = typeof next === 'string' ? { status: 200, body: next } : next;
    // As DynamoDB does. Others come in chunks.
    const length = body === WHOLE && { 'content-length': body.length };
    response.writeHead(status, { 'x-amz-crc32': '1', ...length }).end(body);
  });
  const dynamo = createDynamo({ endpoint, runtime: { ...systemRuntime, sleep: async () => {} } });
  const { Items, units } = await metered(async ({ ...meter }) => {
    const found = await dynamo.send(new QueryCommand({ TableName: 't' }));
    return { ...found, units: found.ConsumedCapacity?.CapacityUnits, meter };
  });
  return { items: Items, units, left: bodies.length };
}

test.each([
  ['as DynamoDB sends it', WHOLE],
  ['before the key', `{"Items":[{"data":{"B":"${BASE64}"},"sk":{"S":"a"}}],${PRICE}}`],
  ['behind the price', `{${PRICE},"Items":[{"sk":{"S":"a"},"data":{"B":"${BASE64}"}}]}`],
  ['with white space', WHOLE.replaceAll(/([:{,])/g, ' $1\n ')],
  ['with escaped characters', WHOLE.replaceAll('/', '\\/')],
])('a long binary is read %s', async (_, body) => {
  expect(await itemsOf(body)).toEqual({ items: [{ sk: 'a', data: DATA }], units: 12.5, left: 0 });
});

test('binaries are told apart, in lists and maps as well, and from a text that looks like one', async () => {
  const text = `"B":"${BASE64}"`;
  const other = Buffer.from(DATA.toReversed());
  const inside = `{"M":{"B":{"L":[{"B":"${other.toString('base64')}"},{"B":"AQI="},{"BS":["${BASE64}"]},{"S":"#0"}]}}}`;
  const item = `{"text":{"S":${JSON.stringify(text)}},"data":{"B":"${BASE64}"},"inside":${inside}}`;
  const { items } = await itemsOf(`{"Items":[${item}]}`);
  const list = [other, Buffer.of(1, 2), new Set([DATA]), '#0'];
  expect(items).toEqual([{ text, data: DATA, inside: { B: list } }]);
});

test.each([
  ['whose base64 is broken', WHOLE.replace(BASE64.slice(40_000, 40_004), '****')],
  ['whose base64 lacks a character', WHOLE.replace(BASE64, BASE64.slice(1))],
  ['that ends in the middle of a binary', WHOLE.slice(0, 60_000)],
  ['that ends behind it', WHOLE.slice(0, -PRICE.length - 20)],
  [
    'that says it was throttled',
    { status: 400, body: '{"__type":"com.amazonaws.dynamodb.v20120810#ProvisionedThroughputExceededException"}' },
  ],
])('an answer %s is asked for again', async (_, broken) => {
  expect(await itemsOf(broken, WHOLE)).toEqual({ items: [{ sk: 'a', data: DATA }], units: 12.5, left: 0 });
});
