import fc from 'fast-check';
import { parse, filter as predicateOf } from 'scim2-parse-filter';
import { describe, expect, test } from 'vitest';
import { caller } from '../../tests/support/httpService.ts';
import { doorForFile } from '../../tests/support/scim.ts';

const { service, scim } = await doorForFile({ SCIM_GROUPS: 'groups' });
const api = caller(service.url);

interface Named {
  displayName: string;
  meta: { created?: string; lastModified?: string };
}

const get = (parameters: Record<string, string>) => scim('GET', `/Groups?${new URLSearchParams(parameters)}`);
const namesIn = (body: { Resources: Named[] }) => body.Resources.map(({ displayName }) => displayName);

const ann = ((await api('POST', '/api/users', { json: { name: 'Ann' } })).body as { id: number }).id;
const bob = (
  (await api('POST', '/api/users', { json: { name: 'Bob', attributes: { groups: 'value' } } })).body as {
    id: number;
  }
).id;
const GROUPS: [displayName: string, externalId: string | undefined, ...members: number[]][] = [
  ['Admins', 'e1', ann, bob],
  ['Editors', 'E2', ann],
  ['Éditeurs', undefined],
];
await api('PATCH', `/api/users/${bob}`, { json: { attributes: { groups: ['value'] } } });
const ids: string[] = [];
for (const [displayName, externalId, ...members] of GROUPS) {
  const body = { displayName, externalId, members: members.map((value) => ({ value })) };
  ids.push((await scim('POST', '/Groups', body)).body.id);
}
const [admins, editors] = ids;
const { meta } = (await scim('GET', `/Groups/${editors}`)).body;

describe('a filter', () => {
  test.each([
    ['displayName eq "ADMINS"', ['Admins']],
    ['displayName ne "admins"', ['Editors', 'value', 'Éditeurs']],
    ['displayName co "DIT"', ['Editors', 'Éditeurs']],
    ['displayName sw "é"', ['Éditeurs']],
    ['displayName ew "RS"', ['Editors', 'Éditeurs']],
    ['displayName gt "editors"', ['value', 'Éditeurs']],
    ['displayName ge "editors"', ['Editors', 'value', 'Éditeurs']],
    ['displayName lt "EDITORS"', ['Admins']],
    ['displayName le "EDITORS"', ['Admins', 'Editors']],
    ['displayName pr', ['Admins', 'Editors', 'value', 'Éditeurs']],
    ['displayName eq "Editor"', []],
    ['displayName eq ""', []],
    ['displayName eq null', []],
    ['urn:ietf:params:scim:schemas:core:2.0:Group:displayname eq "value"', ['value']],
    ['externalId eq "e1"', ['Admins']],
    ['externalId eq "e2"', []],
    ['externalId ne "e1"', ['Editors', 'value', 'Éditeurs']],
    ['externalId co "2"', ['Editors']],
    ['externalId sw "E"', ['Editors']],
    ['externalId ew "1"', ['Admins']],
    ['externalId gt "E2"', ['Admins']],
    ['externalId ge "E2"', ['Admins', 'Editors']],
    ['externalId lt "e1"', ['Editors']],
    ['externalId le "e1"', ['Admins', 'Editors']],
    ['externalId pr', ['Admins', 'Editors']],
    ['not (externalId pr)', ['value', 'Éditeurs']],
    ['externalId eq null', ['value', 'Éditeurs']],
    [`id eq "${admins}"`, ['Admins']],
    [`id eq "${admins}x"`, []],
    [`id ne "${admins}"`, ['Editors', 'value', 'Éditeurs']],
    ['id co "alu"', ['value']],
    ['id sw "VAL"', []],
    ['id ew "lue"', ['value']],
    ['id ge "v"', ['value']],
    ['id lt "v" and displayName pr', ['Admins', 'Editors', 'Éditeurs']],
    [`meta.created eq "${meta.created}"`, ['Editors']],
    [`meta.created gt "${meta.created}"`, ['Éditeurs']],
    [`meta.created ge "${meta.created.replace('Z', '+00:00')}"`, ['Editors', 'Éditeurs']],
    [`meta.created lt "${meta.created}"`, ['Admins']],
    [`meta.created le "${meta.created}"`, ['Admins', 'Editors']],
    ['meta.created ne "2020-01-01T00:00:00Z" and meta.created pr', ['Admins', 'Editors', 'Éditeurs']],
    ['meta.lastModified pr', ['Admins', 'Editors', 'Éditeurs']],
    [`meta.lastModified ge "${meta.lastModified}"`, ['Editors', 'Éditeurs']],
    ['meta.lastModified lt "2020-01-01T00:00:00+01:00"', []],
    ['meta.resourceType eq "Group"', ['Admins', 'Editors', 'value', 'Éditeurs']],
    ['meta.resourceType eq "User"', []],
    [`members.value eq "${ann}"`, ['Admins', 'Editors']],
    [`members eq "${bob}"`, ['Admins', 'value']],
    [`members[value eq "${ann}"]`, ['Admins', 'Editors']],
    [`members.value eq "${ann}" and members.value eq "${bob}"`, ['Admins']],
    [`members.value eq "${bob}" or displayName sw "é"`, ['Admins', 'value', 'Éditeurs']],
    ['members.value eq "7" or members.value eq "nobody"', []],
    ['(displayName eq "admins" or displayName eq "editors") and not (externalId eq "e1")', ['Editors']],
  ])('%s', async (filter, expected) => {
    for (const answer of [await get({ filter }), await scim('POST', '/Groups/.search', { filter })])
      expect([namesIn(answer.body).sort(), answer.body.totalResults]).toEqual([expected, expected.length]);
  });

  test.each([
    '',
    'displayName',
    'displayName eq',
    'displayName eq Admins',
    'displayName eq 1',
    'displayName eq true',
    'displayName gt null',
    'displayName xx "a"',
    'displayName.value eq "a"',
    'name eq "a"',
    'userName eq "a"',
    'toString eq "a"',
    'schemas eq "a"',
    'meta.version eq "1"',
    'meta.created eq "yesterday"',
    'meta.created gt "2020-13-01T00:00:00Z"',
    'meta.created co "2026"',
    'meta.created gt 7',
    'members pr',
    'members.display eq "Ann"',
    `members.value ne "${ann}"`,
    `members.value co "${ann}"`,
    `not (members.value eq "${ann}")`,
    `members[value eq "${ann}" and type eq "User"]`,
    `members[type eq "User"]`,
    'displayName[value eq "a"]',
    'displayName eq "a" )',
  ])('that is not understood is refused: %s', async (filter) => {
    for (const answer of [await get({ filter }), await scim('POST', '/Groups/.search', { filter })])
      expect([answer.status, answer.body.scimType]).toEqual([400, 'invalidFilter']);
  });
});

/** The other parser compares exactly, and has another `ne` of nothing. */
const { spoken } = fc.letrec<{ spoken: string }>((tie) => {
  const comparison = fc
    .record({
      path: fc.constantFrom('displayName', 'DISPLAYNAME', 'id'),
      op: fc.constantFrom('eq', 'co', 'sw', 'EW', 'gt', 'le'),
      value: fc.constantFrom('admins', 'editors', 'value', 'it', 'e', 's', 'f', 'é'),
    })
    .map(({ path, op, value }) => `${path} ${op} ${JSON.stringify(value)}`);
  const other = fc.constantFrom('externalId pr', `members.value eq "${ann}"`, `members[value eq "${bob}"]`);
  const pair = (joined: string) =>
    fc.tuple(tie('spoken'), tie('spoken')).map(([one, two]) => `${one} ${joined} ${two}`);
  return {
    spoken: fc.oneof(
      { maxDepth: 3, depthSize: 'small' },
      { weight: 3, arbitrary: fc.oneof(comparison, other) },
      { weight: 2, arbitrary: pair('and') },
      { weight: 2, arbitrary: pair('or') },
      { weight: 1, arbitrary: tie('spoken').map((of) => `(${of})`) },
      { weight: 1, arbitrary: tie('spoken').map((of) => `not (${of})`) },
    ),
  };
});

test('a filter at random means the same to the parser of scim2-parse-filter', async () => {
  const { Resources } = (await get({})).body;
  const lower = (value: unknown) => JSON.parse(JSON.stringify(value).toLowerCase());
  const runs = 100 * Number(process.env.TIMES ?? 1);
  let answered = 0;
  await fc.assert(
    fc.asyncProperty(spoken, async (text) => {
      const { status, body } = await scim('POST', '/Groups/.search', { filter: text });
      if (status === 400) {
        expect(body.scimType).toBe('invalidFilter');
        return;
      }
      answered++;
      const isMet = predicateOf(parse(text.toLowerCase()));
      const expected = Resources.filter((group: object) => isMet(lower(group)));
      expect(namesIn(body), text).toEqual(namesIn({ Resources: expected }));
    }),
    { numRuns: runs },
  );
  expect(answered).toBeGreaterThan(runs / 3);
});

describe('a list', () => {
  test('has an order, and parts of it by index', async () => {
    const sorted = ['Admins', 'Editors', 'value', 'Éditeurs'];
    expect(namesIn((await get({ sortBy: 'displayName' })).body)).toEqual(sorted);
    const descending = { sortBy: 'DisplayName', sortOrder: 'descending' };
    expect(namesIn((await get(descending)).body)).toEqual(sorted.toReversed());
    const { body } = await get({ ...descending, startIndex: '2', count: '2' });
    expect([namesIn(body), body.totalResults, body.startIndex, body.itemsPerPage]).toEqual([
      ['value', 'Editors'],
      4,
      2,
      2,
    ]);
    expect((await get({ count: '0' })).body).toMatchObject({ totalResults: 4, Resources: [] });
    expect(
      (await get({ sortBy: 'externalId' })).body.Resources.slice(0, 2).map(({ id }: { id: string }) => id),
    ).toEqual([editors, admins]);
    const withoutOrder = (await get({})).body.Resources.map(({ id }: { id: string }) => id);
    expect(withoutOrder).toEqual([...ids, 'value'].sort());
  });

  test('is walked by cursor without loss while others write', async () => {
    const seen: string[] = [];
    let cursor = '';
    for (let page = 0; page < 10; page++) {
      const { body } = await get({ cursor, count: page === 0 ? '0' : '1' });
      seen.push(...body.Resources.map(({ id }: { id: string }) => id));
      cursor = body.nextCursor;
      if (page === 2)
        await scim('PATCH', `/Groups/${admins}`, { Operations: [{ op: 'replace', path: 'externalId', value: 'e1' }] });
      if (cursor === undefined) break;
    }
    expect(seen).toEqual([...ids, 'value'].sort());
  });

  test.each([
    [{ cursor: 'x' }, 'invalidCursor'],
    [{ cursor: '', sortBy: 'displayName' }, 'invalidCursor'],
    [{ sortBy: 'members' }, 'invalidPath'],
    [{ sortBy: 'displayName', sortOrder: 'up' }, 'invalidValue'],
    [{ count: 'x' }, 'invalidCount'],
    [{ startIndex: 'x' }, 'invalidValue'],
    [{ attributes: 'members[value eq "1"]' }, 'invalidPath'],
  ])('with %j is refused', async (parameters: Record<string, string>, scimType) => {
    expect(await get(parameters)).toMatchObject({ status: 400, body: { scimType } });
  });

  test('has the members of each group, or other attributes', async () => {
    const filter = `members.value eq "${bob}"`;
    const members = (body: { Resources: { members?: { value: string }[] }[] }) =>
      body.Resources.map((group) => group.members?.map(({ value }) => value));
    const both = [String(ann), String(bob)].sort((x, y) => Number(x) - Number(y));
    expect(members((await get({ filter, sortBy: 'displayName' })).body)).toEqual([both, [String(bob)]]);
    expect(members((await get({ filter, excludedAttributes: 'members' })).body)).toEqual([undefined, undefined]);
    const { Resources } = (await get({ filter: 'displayName eq "admins"', attributes: 'displayName' })).body;
    expect(Resources).toEqual([
      { schemas: ['urn:ietf:params:scim:schemas:core:2.0:Group'], id: admins, displayName: 'Admins' },
    ]);
    const some = await get({ filter: 'displayName eq "admins"', attributes: 'members.value' });
    expect(some.body.Resources[0].members).toEqual(both.map((value) => ({ value })));
  });

  test('of several types at once there is none', async () => {
    expect((await scim('POST', '/.search', {})).status).toBe(501);
  });
});
