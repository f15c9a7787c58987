import { describe, expect, test } from 'vitest';
import type { CountedBy } from '../../../lib/users/counted.ts';
import { PARTS } from '../../../lib/users/filters.ts';
import { type Attributes, represent } from '../../../lib/users/user.ts';
import { handlerCalls } from '../../support/calls.ts';
import { logOfEachTest } from '../../support/logs.ts';
import type { ModelUser } from '../../support/model.ts';
import { askCounts, countsOf } from '../../support/questions.ts';
import { serviceOn } from '../../support/service.ts';

logOfEachTest();

/** By name, in the order of creation. The last one has none. */
const PEOPLE: Record<string, Attributes | undefined> = {
  ann: { team: 'Red', level: 3, isManager: true, constructor: 'x' },
  bob: { team: 'red', level: '3', isManager: 'true' },
  cem: { team: ['blue', 'Red'], level: 2.5 },
  dan: { team: 7, isManager: false },
  eve: { team: true, level: 10 },
  fay: undefined,
};

const service = await serviceOn.embedded();
await service.users.createMany(
  Object.entries(PEOPLE).map(([name, attributes]) => ({ name, ...(attributes && { attributes }) })),
);
const call = await handlerCalls(service);

async function names(query: string): Promise<string> {
  const { status, body } = await call('GET', `/api/users/all?${query}`);
  expect(status, JSON.stringify(body)).toBe(200);
  return (body as { name: string }[]).map(({ name }) => name).join(' ');
}

describe('a list', () => {
  test.each([
    ['attributes.team=Red', 'ann cem'],
    ['attributes.team=Red&attributes.team=7&attributes.team=true', 'ann cem dan eve'],
    ['attributes.team.not=Red', 'bob dan eve fay'],
    ['attributes.level=3', 'ann bob'],
    ['attributes.level=3.0', 'ann'],
    ['attributes.isManager=true', 'ann bob'],
    ['attributes.team.startsWith=RE', 'ann bob cem'],
    ['attributes.team.endsWith=e', 'cem'],
    ['attributes.team.contains=L&attributes.team.contains=x', 'cem'],
    ['attributes.team.contains=7', ''],
    ['attributes.level.gte=2.5&attributes.level.lt=10', 'ann cem'],
    ['attributes.level.gt=2.5', 'ann eve'],
    ['attributes.level.lte=2.5', 'cem'],
    ['attributes.level.lt=1e400', 'ann cem eve'],
    ['attributes.level.gt=1e400', ''],
    ['attributes.level.missing=true', 'dan fay'],
    ['attributes.constructor=x', 'ann'],
    ['attributes.toString.missing=false', ''],
    ['attributes.nobodys=1', ''],
    ['attributes.nobodys.not=1', 'ann bob cem dan eve fay'],
    ['attributes.team=&attributes.level.gt=', 'ann bob cem dan eve fay'],
    ['sort=attributes.team', 'eve dan ann bob cem fay'],
    ['sort=attributes.team,desc', 'fay cem bob ann dan eve'],
    ['sort=attributes.level,name', 'cem ann eve bob dan fay'],
    ['sort=attributes.nobodys,desc', 'fay eve dan cem bob ann'],
  ])('of %s', async (query, found) => {
    expect(await names(query)).toBe(found);
  });

  test('in the order of an attribute is walked to its end', async () => {
    const found: string[] = [];
    let path: string | undefined = '/api/users?sort=attributes.team&size=1&after=';
    while (path !== undefined) {
      const { body, headers } = await call('GET', path);
      found.push(...(body as { name: string }[]).map(({ name }) => name));
      path = /<([^>]*)>; rel="next"/.exec(headers.get('link') ?? '')?.[1];
    }
    expect(found.join(' ')).toBe('eve dan ann bob cem fay');
  });
});

test.each([
  ['GET', '/api/users?'],
  ['GET', '/api/users?after=&'],
  ['GET', '/api/users?cursor=0&'],
  ['GET', '/api/users/cursor?'],
  ['GET', '/api/users/all?'],
  ['GET', '/api/users/counts?'],
  ['POST', '/api/users/edits?'],
] as const)('%s %s refuses a question that names more than twenty attributes', async (method, path) => {
  const query = (count: number) => Array.from({ length: count }, (_, n) => `attributes.n${n}.missing=true`).join('&');
  const options = method === 'POST' ? { body: JSON.stringify({ delete: true, dryRun: true }) } : {};
  expect((await call(method, path + query(20), options)).status).toBe(200);
  const { status, body: refusal } = await call(method, path + query(21), options);
  expect({ status, refusal }).toEqual({
    status: 400,
    refusal: { status: 400, message: 'A request must name at most 20 attributes in its filters, sort and by' },
  });
});

test('counts are by one or two attributes or others, and of an array each text counts', async () => {
  const { body } = await call('GET', '/api/users/counts?by=attributes.isManager');
  expect(body).toEqual({
    total: 6,
    counts: [
      { count: 3 },
      { 'attributes.isManager': false, count: 1 },
      { 'attributes.isManager': true, count: 1 },
      { 'attributes.isManager': 'true', count: 1 },
    ],
  });
  const both = await call('GET', '/api/users/counts?by=attributes.team,name&attributes.team=blue');
  expect(both.body).toEqual({
    total: 1,
    counts: ['blue', 'Red'].map((team) => ({ 'attributes.team': team, name: 'cem', count: 1 })),
  });
  const teams = await call('GET', '/api/users/counts?by=attributes.team');
  expect(teams.body).toEqual({
    total: 6,
    counts: [
      { 'attributes.team': 'Red', count: 2 },
      { 'attributes.team': true, count: 1 },
      { 'attributes.team': 7, count: 1 },
      { 'attributes.team': 'blue', count: 1 },
      { 'attributes.team': 'red', count: 1 },
      { count: 1 },
    ],
  });
});

describe('users beside the counts that are shown', () => {
  const TEAMS = ['a', ['b', 'a'], ['c\n1', 'd'], ['e', 'f', 'g'], [], 7, true, undefined, ['h', 'i'], 'j', '"k"'];
  const everyone = (async () => {
    const others = await serviceOn.embedded();
    const created = await others.users.createMany(
      TEAMS.flatMap((team, i) => {
        const attributes = team !== undefined && { attributes: { team } as Attributes };
        // The same without a last name, and with an empty one.
        return [{ age: i % 3 }, { age: i % 3, lastName: '' }].map((each) => ({
          name: `n${i}`,
          ...each,
          ...attributes,
        }));
      }),
    );
    return { listing: others.listing, all: created.map((user) => represent(user) as ModelUser) };
  })();

  test.each<CountedBy[][]>([
    [['attributes.team']],
    [['attributes.team', 'name']],
    [['lastName', 'attributes.team']],
    [['age', 'attributes.team']],
    [['createdAt.day', 'attributes.team']],
  ])('are counted once each: %j', async (by) => {
    const { listing, all } = await everyone;
    const { counts } = await askCounts(listing, {}, by);
    expect(counts.others).toBeGreaterThan(1);
    expect(counts).toEqual(countsOf(all, {}, by));
  });
});

test.each([
  ['attributes.team.nots=1', 'Unknown parameter attributes.team.nots: is attributes.team.not meant?'],
  ['attributes.team.ne=1', 'Unknown parameter attributes.team.ne: is attributes.team.not meant?'],
  ['attributes.team!=1', 'Unknown parameter attributes.team!: is attributes.team.not meant?'],
  ['attributes[team]=1', 'Unknown parameter attributes[team]: is attributes.team meant?'],
  ['attribute.team=1', 'Unknown parameter attribute.team: is attributes.team meant?'],
  [
    'attributes.team.is=1',
    `Unknown parameter attributes.team.is: the endings of attributes.team are not, ${Object.keys(PARTS).join(', ')}, missing, gte, gt, lte, lt`,
  ],
  [
    'attributes.9x=1',
    'Unknown parameter attributes.9x: the name of an attribute is a letter, then at most 62 letters, digits, - or _',
  ],
  [
    'attributes.<name>=1',
    'Unknown parameter attributes.<name>: the name of an attribute is a letter, then at most 62 letters, digits, - or _',
  ],
  [`attributes.level.gt=${'x'.repeat(501)}`, 'attributes.level.gt must be at most 500 characters long'],
  [
    'attributes.level.gt=%01',
    'attributes.level.gt must be well-formed text of at most 500 characters (in Unicode NFC), without control characters',
  ],
  ['attributes.level.missing=1', 'attributes.level.missing must be true or false'],
  ['attributes.level.gt=1&attributes.level.gt=2', 'attributes.level.gt must be given only once'],
  ['sort=attributes.9x', 'Unknown sort property: attributes.9x'],
  ['sort=attributes', 'Unknown sort property: attributes'],
  ['sort=attributes.team.not', 'Unknown sort property: attributes.team.not'],
])('%s is refused: %s', async (query, message) => {
  expect(await call('GET', `/api/users?${query}`)).toMatchObject({ status: 400, body: { status: 400, message } });
});
