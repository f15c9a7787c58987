import type { APIGatewayProxyEvent } from 'aws-lambda';
import { describe, expect, test } from 'vitest';
import type { Order } from '../../../../lib/columns/index.ts';
import { readWait } from '../../../../lib/http/queries/edit.ts';
import { readId } from '../../../../lib/http/queries/id.ts';
import { countsQuery, readPage, searchQuery, usersQuery } from '../../../../lib/http/queries/lists.ts';
import { readIdempotencyKey } from '../../../../lib/http/request/idempotencyKey.ts';
import { PLAIN_FIELDS } from '../../../../lib/users/user.ts';
import { event } from '../../../../tools/samples/events.ts';

const badParameter = (message: string) => expect.objectContaining({ status: 400, message });

test.each([
  ['', { filters: {}, by: [] }],
  [
    'by=country,email.domain&by=country&status=a&age.gte=5&keyword=ski',
    { filters: { status: ['a'], 'age.gte': 5, keyword: ['ski'] }, by: ['country', 'email.domain'] },
  ],
])('counts are asked for by %s', (query, asked) => {
  expect(countsQuery.read(event(query))).toEqual({ ...asked, most: 1_000 });
});

test.each(['id', 'createdAt', 'createdAt.hour', 'constructor', 'age,status,country'])(
  'counts by %s are refused, with what is possible',
  (by) => {
    const names = [
      ...PLAIN_FIELDS,
      'email.domain',
      'createdAt.day',
      'createdAt.week',
      'createdAt.month',
      'createdAt.year',
    ];
    const read = () => countsQuery.read(event(`by=${by}`));
    expect(read).toThrow(expect.objectContaining({ status: 400 }));
    for (const name of names) expect(read).toThrow(name);
  },
);

test('counts name at most twenty attributes, filters included', () => {
  const filters = Array.from({ length: 19 }, (_, n) => `attributes.n${n}=x`).join('&');
  expect(countsQuery.read(event(`${filters}&by=attributes.n0,attributes.m`)).by).toEqual([
    'attributes.n0',
    'attributes.m',
  ]);
  expect(() => countsQuery.read(event(`${filters}&by=attributes.l,attributes.m`))).toThrow(
    badParameter('A request must name at most 20 attributes in its filters, sort and by'),
  );
});

describe('an id', () => {
  const read = (id: string) => readId(event('', { pathParameters: { id } }));

  test.each([
    ['1', 1],
    ['007', 7],
    ['9007199254740991', 9007199254740991],
  ])('written as %s is %d', (text, id) => {
    expect(read(text)).toBe(id);
  });

  test.each(['0', '-1', '9007199254740992', '9223372036854775807', '-9223372036854775808'])(
    'of %s belongs to no user (404)',
    (text) => {
      const message = `User not found with id: ${text}`;
      expect(() => read(text)).toThrow(expect.objectContaining({ status: 404, message }));
    },
  );

  test.each(['abc', '1.0', '1e3', '+1', ' 1', '', '9223372036854775808', '-9223372036854775809', '٣', '0x1f', '{id}'])(
    'of %j is refused, because it is not a 64-bit integer',
    (text) => {
      expect(() => read(text)).toThrow(badParameter('id must be a 64-bit integer'));
    },
  );
});

describe('the parameters of a list', () => {
  const PAGE = { number: 0, size: 20, order: [{ property: 'id', descending: false }], filters: {} };
  const BATCH = { after: 0, size: 20, filters: {} };
  const BY_AGE: Order = [
    { property: 'age', descending: true },
    { property: 'id', descending: true },
  ];
  const placeOf = (...values: unknown[]) =>
    `sort=age,desc&after=${Buffer.from(JSON.stringify(values)).toString('base64url')}`;
  const WALK = { ...PAGE, number: undefined, after: undefined };
  /** A part of a query for each of `count` names. */
  const namesOf = (part: string, count: number) =>
    Array.from({ length: count }, (_, n) => part.replace('<n>', `n${n}`)).join('&');
  const MANY_NAMES = 'A request must name at most 20 attributes in its filters, sort and by';
  const NO_PLACE = 'after must be that of a next link in the same order: begin again with a blank after';

  test.each([
    ['', PAGE],
    ['page=&size=&sort=&status=', PAGE],
    ['page=%20', PAGE],
    ['page=3&size=7', { ...PAGE, number: 3, size: 7 }],
    ['page=2147483647&size=100', { ...PAGE, number: 2147483647, size: 100 }],
    ['size=101', { ...PAGE, size: 100 }],
    [`size=${'9'.repeat(400)}`, { ...PAGE, size: 100 }],
    ['cursor=', BATCH],
    ['cursor=-5', BATCH],
    ['cursor=17&keyword=ski', { ...BATCH, after: 17, filters: { keyword: ['ski'] } }],
    ['cursor=9223372036854775807', { ...BATCH, after: 9007199254740990 }],
    ['cursor=3&page=&sort=', { ...BATCH, after: 3 }],
    ['after=', WALK],
    ['after=&sort=age,desc&sort=age&sort=id,desc', { ...WALK, order: BY_AGE }],
    ['after=%20&size=101&page=&status=on', { ...WALK, size: 100, filters: { status: ['on'] } }],
    [placeOf('-age,-id', 5, 30), { ...WALK, order: BY_AGE, after: { id: 5, age: 30 } }],
    [placeOf('-age,-id', 5, null), { ...WALK, order: BY_AGE, after: { id: 5 } }],
    ['country=%20DE&keyword=%25_', { ...PAGE, filters: { country: [' DE'], keyword: ['%_'] } }],
    ['status=a&status=&status=b&status=a', { ...PAGE, filters: { status: ['a', 'b'] } }],
    ['id=5&id=&id=-1&id=9007199254740993', { ...PAGE, filters: { id: [5] } }],
    ['age.gte=-5&age.lt=007', { ...PAGE, filters: { 'age.gte': -5, 'age.lt': 7 } }],
    [
      'attributes.n.gte=-5&attributes.n.lt=2.50',
      { ...PAGE, filters: { 'attributes.n.gte': -5, 'attributes.n.lt': 2.5 } },
    ],
    [
      'attributes.n.gte=-P4000Y&attributes.n.lt=2026-11&attributes.n.gt=P1&attributes.n.lte=05',
      {
        ...PAGE,
        filters: {
          'attributes.n.gte': '0000-01-01T00:00:00.000Z',
          'attributes.n.lt': '2026-11',
          'attributes.n.gt': 'P1',
          'attributes.n.lte': '05',
        },
      },
    ],
    ['createdAt.gte=2026-11-01', { ...PAGE, filters: { 'createdAt.gte': Date.UTC(2026, 10, 1) } }],
    [
      'age=007&email.missing=true&status.missing=false',
      { ...PAGE, filters: { age: [7], 'email.missing': true, 'status.missing': false } },
    ],
    ['name.startsWith=12', { ...PAGE, filters: { 'name.startsWith': ['12'] } }],
    ['id.not=5&id.not=6&age.not=7', { ...PAGE, filters: { 'id.not': [5, 6], 'age.not': [7] } }],
    ['status.contains=&status.contains=a&q=%E3%80%80', { ...PAGE, filters: { 'status.contains': ['a'] } }],
    ['q=ann%20%20lee', { ...PAGE, filters: { q: 'ann  lee' } }],
  ])('in %j are %j', (query, asked) => {
    expect(Object.values(usersQuery.read(event(query)))).toEqual([asked]);
  });

  test.each(['name,age,createdAt,status', 'name,name,age,createdAt,status,id'])(
    'take a walk by four properties (%s), whether or not the id is named',
    (properties) => {
      expect(usersQuery.read(event(`after=&sort=${properties}`))).toMatchObject({ walk: { size: 20 } });
    },
  );

  test.each([
    ...['-1', '2147483648', '1.5', '1e3', 'x'].map((page) => [
      `page=${page}`,
      'page must be an integer from 0 to 2147483647',
    ]),
    ...['0', '-20', 'ten'].map((size) => [`size=${size}`, 'size must be an integer from 1 to 100']),
    ['page=1&page=2', 'page must be given only once'],
    ['cursor=x', 'cursor must be a 64-bit integer'],
    ['cursor=1&size=5', 'cursor cannot be combined with size'],
    ['after=&page=0', 'after cannot be combined with page'],
    ['after=&cursor=', 'after cannot be combined with cursor'],
    ['after=&after=', 'after must be given only once'],
    ...[
      ...['after=x', 'after=5', `after=${'A'.repeat(6_001)}`, 'after=%5B%5D', placeOf(), placeOf('-age,-id', 5)],
      ...[placeOf('age,id', 5, 30), placeOf('-age,-id', 5, 30, 1), placeOf('-age,-id', '5', 30), placeOf(null, 5, 30)],
      ...[placeOf('-age,-id', 5, '30'), placeOf('-age,-id', 5, {}), placeOf('-age,-id', 5.5, 30)],
      ...[0, '\ud83d', 'n\0', ['a'], true].map((name) => placeOf('name,id', 5, name).replace('age,desc', 'name')),
    ].map((query) => [query, NO_PLACE]),
    ['after=&sort=name,age,createdAt,email,status', 'sort must have at most 4 properties with after'],
    ['after=&sort=name,age,attributes.a,attributes.b,email,id', 'sort must have at most 4 properties with after'],
    [`status.not=a&${'status.not=&'.repeat(100)}`, 'status.not must be given at most 100 times'],
    [namesOf('attributes.<n>.missing=true', 21), MANY_NAMES],
    [namesOf('attributes.<n>=x', 21), MANY_NAMES],
    [namesOf('sort=attributes.<n>', 21), MANY_NAMES],
    [`sort=${namesOf('attributes.<n>', 21).replaceAll('&', ',')}`, MANY_NAMES],
    [`after=&${namesOf('sort=attributes.<n>', 21)}`, MANY_NAMES],
    [`cursor=0&${namesOf('attributes.<n>.gte=1', 21)}`, MANY_NAMES],
    [`${namesOf('attributes.<n>.not=x', 20)}&sort=attributes.other`, MANY_NAMES],
    ['q=a&q=b', 'q must be given only once'],
    [`q=${[...'abcdefghijk'].join('+')}`, 'q must have at most 10 words'],
    ['age.gte=1&age.gte=2', 'age.gte must be given only once'],
    ...['yes', '', '1'].map((flag) => [`age.missing=${flag}`, 'age.missing must be true or false']),
    ['attributes.team.missing', 'attributes.team.missing must be true or false'],
    ['age.gte=1.5', 'age.gte must be an integer'],
    [
      'createdAt.gte=2026-11-01T00:00:00+01:00',
      'createdAt.gte must be a date-time of RFC 3339, a date, or a duration before now, such as 2026-11-01T09:30:00Z, 2026-11-01 or -P7D; a + is sent as %2B in a URL',
    ],
    ['id=5&id=x', 'id must be an integer'],
    ['id=99999999999999999999', 'id must be a 64-bit integer'],
    ['id=5&'.repeat(301), 'id must be given at most 300 times'],
    [`status=a&status=${'x'.repeat(65)}`, 'status must be at most 64 characters long'],
    [`name.startsWith=${'x'.repeat(201)}`, 'name.startsWith must be at most 200 characters long'],
    [
      'country=%00',
      'country must be well-formed text of at most 64 characters (in Unicode NFC), without control characters',
    ],
    ['sort=nope', 'Unknown sort property: nope'],
    ['sort=__proto__', 'Unknown sort property: __proto__'],
    ['sort=-name', 'Unknown sort property: -name'],
  ])('are refused for %j: %s', (query, message) => {
    expect(() => usersQuery.read(event(query))).toThrow(badParameter(message));
  });

  test.each([
    ['status', 64],
    ['country.not', 64],
    ['name', 200],
    ['name.startsWith', 200],
    ['q', 200],
    ['externalId', 255],
    ['email', 254],
    ['attributes.note', 500],
    ['attributes.note.contains', 500],
    ['attributes.note.gt', 500],
  ])('of %s take a text of exactly %i characters, and none of one more', (name, most) => {
    const long = `must be at most ${most} characters long`;
    // An address is counted in octets.
    for (const letter of name === 'email' ? ['x'] : ['x', 'é', '😀']) {
      const text = letter.repeat(most);
      expect(Object.values(readPage(event(`${name}=${encodeURIComponent(text)}`)).filters).flat()).toEqual([text]);
      expect(() => usersQuery.read(event(`${name}=${encodeURIComponent(`${text}x`)}`))).toThrow(
        badParameter(`${name} ${long}`),
      );
    }
  });

  const DIRECTION = '. A direction comes after a comma: sort=lastName,desc';

  test.each([
    ['listUsers', 'sort=-name', 'Unknown sort property: -name', ': is name,desc meant?'],
    ['listUsers', 'sort=name:desc', 'Unknown sort property: name:desc', ': is name,desc meant?'],
    ['listUsers', 'sort=-createdAt', 'Unknown sort property: -createdAt', ': is createdAt,desc meant?'],
    ...['created_at', 'CreatedAt', 'created'].map(
      (name) =>
        [
          'listUsers',
          `sort=${name}`,
          `Unknown sort property: ${name}`,
          ': is createdAt meant, or createdAt,desc?',
        ] as const,
    ),
    ['listUsers', 'sort=updated_at desc', 'Unknown sort property: updated_at desc', ': is updatedAt,desc meant?'],
    ['listUsers', 'sort=newest', 'Unknown sort property: newest', ': is createdAt,desc meant?'],
    ['listUsers', 'sort=-team', 'Unknown sort property: -team', ': is attributes.team,desc meant?'],
    ['listUsers', 'sort=descending', 'Unknown sort property: descending', DIRECTION],
    ['searchUsers', 'sort=email', 'Cannot sort by: email', ': GET /api/users sorts by it'],
    ['listUsers', 'sort=team', 'Unknown sort property: team', ': is attributes.team meant?'],
    ['listUsers', 'sort=7', 'Unknown sort property: 7', ''],
    ['searchUsers', 'sort=-name', 'Cannot sort by: -name', DIRECTION],
    ['searchUsers', 'sort=-created_at', 'Cannot sort by: -created_at', ': is createdAt,desc meant?'],
    ['searchUsers', 'sort=team', 'Cannot sort by: team', ''],
  ] as const)('of %s have advice on %s in problem details alone', (listing, query, message, advice) => {
    const refusal = expect.objectContaining({ status: 400, message, detail: message + advice });
    expect(() => (listing === 'searchUsers' ? searchQuery : usersQuery).read(event(query))).toThrow(refusal);
  });

  test('name twenty attributes, each as often as they like', () => {
    const filters = `${namesOf('attributes.<n>=x', 20)}&${namesOf('attributes.<n>.missing=false', 20)}`;
    const query = `${filters}&${namesOf('sort=attributes.<n>', 20)}&attributes.blank=&${namesOf('fields=attributes.f<n>', 30)}`;
    const { filters: asked, order } = readPage(event(query));
    expect([Object.keys(asked).length, order.length]).toEqual([40, 21]);
    expect(() => readPage(event(`${query}&attributes.other=x`))).toThrow(badParameter(MANY_NAMES));
  });

  test('of a search are sorted by its own properties', () => {
    const read = () => searchQuery.read(event('sort=lastName&sort=name,desc'));
    expect(read).toThrow(badParameter('Cannot sort by: name'));
  });
});

test.each([
  ['wait=5', 5_000],
  ['handling=strict, wait="7"; foo', 7_000],
  ['Wait = 0', 1_000],
  ['await=5', undefined],
  ['wait=soon', undefined],
  ['wait=99999999999', undefined],
])('a client that prefers %s waits for %s milliseconds', (prefer, milliseconds) => {
  expect(readWait(event('', { headers: { prefer } }))).toBe(milliseconds);
});

test('an Idempotency-Key is unchanged without a caller, and differs between callers', () => {
  const keyOf = (key: string, authorizer: object | null) => {
    const requestContext = { path: '/', authorizer } as unknown as APIGatewayProxyEvent['requestContext'];
    return readIdempotencyKey(event('', { headers: { 'idempotency-key': key }, requestContext }));
  };
  expect(keyOf('"k"', null)).toBe('k');
  expect(keyOf('k', { principalId: 'ann' })).toBe('676y5teW7oh3-ZN2lmcmsIByrk4KCoSfJ8nTbhnGUAA');
  expect(keyOf('k', { principalId: 'bea' })).not.toBe(keyOf('k', { principalId: 'ann' }));
  expect(() => keyOf('a b', null)).toThrow(badParameter('Idempotency-Key must be 1 to 255 visible ASCII characters'));
});
