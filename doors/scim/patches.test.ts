import fc from 'fast-check';
import { type ScimPatchOperation, type ScimResource, scimPatch } from 'scim-patch';
import { expect, test } from 'vitest';
import { doorForFile } from '../../tests/support/scim.ts';

/** More for a long run. */
const RUNS = 100 * Number(process.env.TIMES ?? 1);

const { scim } = await doorForFile({ SCIM_GROUPS: 'groups' });

const ENTERPRISE = 'urn:ietf:params:scim:schemas:extension:enterprise:2.0:User';

const text = fc.constantFrom('a', 'B', 'c d', '7');
const address = fc.constantFrom('a@example.com', 'b@example.com');
const single = fc.constantFrom(
  ...['title', 'nickName', 'displayName', 'name.givenName', 'name.familyName', 'name.middleName'],
  ...[`${ENTERPRISE}:department`, `${ENTERPRISE}:costCenter`],
);
const type = fc.constantFrom('work', 'home', 'other');
const email = fc.record({ value: address, type });
const phone = fc.record({ value: text, type: fc.constantFrom('work', 'mobile') });
/** Values of which no two are the same. */
const MANY = { minLength: 1, selector: ({ value, type }: { value: string; type: string }) => `${type} ${value}` };
const write = fc.constantFrom('add', 'replace', 'Add', 'Replace');

/** Operations that RFC 7644 leaves no choice about. */
const operation: fc.Arbitrary<object> = fc.oneof(
  fc.record({ op: write, path: single, value: text }),
  fc.record({ op: fc.constant('remove'), path: single }),
  fc.record({ op: write, value: fc.record({ title: text, nickName: text }, { requiredKeys: ['title'] }) }),
  fc.record({ op: fc.constantFrom('replace'), path: fc.constant('name'), value: fc.record({ givenName: text }) }),
  fc.record({ op: write, path: fc.constant('emails'), value: fc.uniqueArray(email, { ...MANY, maxLength: 2 }) }),
  fc.record({ op: write, path: fc.constant('phoneNumbers'), value: fc.array(phone, { minLength: 1, maxLength: 1 }) }),
  fc.record({ op: write, path: type.map((of) => `emails[type eq "${of}"].value`), value: address }),
  fc.record({
    op: fc.constant('replace'),
    path: address.map((of) => `emails[value eq "${of}"].value`),
    value: address,
  }),
  fc.record({ op: fc.constant('remove'), path: type.map((of) => `emails[type eq "${of}"]`) }),
  fc.record({ op: fc.constant('remove'), path: fc.constantFrom('emails', 'phoneNumbers', 'name') }),
  fc.record({
    op: fc.constant('remove'),
    path: fc.constant('emails'),
    value: fc.array(email, { minLength: 1, maxLength: 1 }),
  }),
);

const LISTS = ['emails', 'phoneNumbers'];

type Json = Record<string, unknown>;

/**
 * A resource as it is compared: without the service's own members, an empty object or list, the order of values, and values that come twice, which
 * the door keeps once (RFC 7643, section 2.4).
 */
function essence(resource: object) {
  const { meta: _, schemas: __, displayName: ___, ...members } = Object(resource);
  for (const name of LISTS)
    members[name] = [...new Set((members[name] ?? []).map(({ type, value }: Json) => `${type} ${value}`))].sort();
  return Object.fromEntries(
    Object.entries(members).filter(([, value]) => JSON.stringify(value) !== '{}' && JSON.stringify(value) !== '[]'),
  );
}

function secondOpinion(resource: object, operations: object[]): object | undefined {
  try {
    const options = { mutateDocument: false, treatMissingAsAdd: true };
    return essence(
      scimPatch(
        structuredClone(resource) as ScimResource,
        structuredClone(operations) as ScimPatchOperation[],
        options,
      ),
    );
  } catch {
    return undefined;
  }
}

test('operations at random are refused, or have the effect that scim-patch gives them', async () => {
  let answered = 0;
  const user = {
    userName: 'pat',
    emails: [{ value: 'a@example.com', type: 'work' }],
    phoneNumbers: [{ value: '7', type: 'mobile' }],
  };
  const { id } = (await scim('POST', '/Users', user)).body;
  await fc.assert(
    fc.asyncProperty(fc.array(operation, { minLength: 1, maxLength: 3 }), async (Operations) => {
      await scim('PUT', `/Users/${id}`, { ...user, name: { familyName: 'f' }, title: 'a' });
      const before = (await scim('GET', `/Users/${id}`)).body;
      const expected = secondOpinion(before, Operations);
      const { status, body } = await scim('PATCH', `/Users/${id}`, { Operations });
      const after = (await scim('GET', `/Users/${id}`)).body;
      if (status !== 200) {
        // The door refuses a filter that meets nothing, and a third value of a type.
        expect([status, body.scimType, essence(after)]).toEqual([
          400,
          expect.stringMatching(/^(?:noTarget|invalidValue)$/),
          essence(before),
        ]);
        return;
      }
      answered++;
      expect(essence(after), JSON.stringify(Operations)).toEqual(expected);
    }),
    { numRuns: RUNS },
  );
  expect(answered).toBeGreaterThan(RUNS / 2);
});

test('changes of members at random have the effect that scim-patch gives them', async () => {
  const users: string[] = [];
  for (const userName of ['a', 'b', 'c', 'd']) users.push((await scim('POST', '/Users', { userName })).body.id);
  const { id } = (await scim('POST', '/Groups', { displayName: 'Random' })).body;
  const user = fc.constantFrom(...users);
  const values = (of: string[]) => of.map((value) => ({ value }));
  const some = fc.uniqueArray(user, { minLength: 1, maxLength: 3 }).map(values);
  const path = fc.constant('members');
  const change = fc.oneof(
    fc.record({ op: fc.constantFrom('add', 'Add'), path, value: some }),
    fc.record({ op: fc.constantFrom('replace', 'Replace'), path, value: some }),
    fc.record({ op: fc.constant('remove'), path: user.map((of) => `members[value eq "${of}"]`) }),
    fc.record({ op: fc.constant('Remove'), path, value: some }),
    fc.record({ op: fc.constant('remove'), path }),
  );
  const membersOf = (group: Json) => ((group.members ?? []) as { value: string }[]).map(({ value }) => value).sort();
  let answered = 0;
  await fc.assert(
    fc.asyncProperty(
      fc.subarray(users),
      fc.array(change, { minLength: 1, maxLength: 4 }),
      async (members, Operations) => {
        await scim('PUT', `/Groups/${id}`, { displayName: 'Random', members: values(members) });
        const group = { schemas: [], meta: {}, displayName: 'Random', members: values(members) };
        expect((await scim('PATCH', `/Groups/${id}`, { Operations })).status).toBe(204);
        const expected = secondOpinion(group, Operations);
        // It refuses a removal of somebody who is no member.
        if (expected === undefined) return;
        answered++;
        const after = (await scim('GET', `/Groups/${id}`)).body;
        expect(membersOf(after), JSON.stringify(Operations)).toEqual(membersOf(expected as Json));
      },
    ),
    { numRuns: RUNS / 2 },
  );
  expect(answered).toBeGreaterThan(RUNS / 6);
});
