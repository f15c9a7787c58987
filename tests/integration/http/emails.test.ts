import { expect, test, vi } from 'vitest';
import { handlerCalls } from '../../support/calls.ts';
import { logOfEachTest } from '../../support/logs.ts';
import { serviceOn } from '../../support/service.ts';

logOfEachTest();

vi.stubEnv('UNIQUE_EMAILS', 'true');
const service = await serviceOn.embedded({ uniqueEmails: true });
const call = await handlerCalls(service);
vi.unstubAllEnvs();

/** An address, and others of the same mailbox. */
const MAILBOXES: [stored: string, others: string[]][] = [
  ['ann.lee@example.com', ['ANN.LEE@EXAMPLE.com', '"ann.lee"@example.com', '"an\\n.lee"@example.com']],
  ['"bea"@example.com', ['bea@example.com', '"b\\ea"@example.com', 'BEA@example.com']],
  ['"c d"@example.com', ['"C\\ d"@example.com']],
  ['dan@bücher.example', ['dan@xn--bcher-kva.example', 'DAN@BU\u0308CHER.example', '"dan"@XN--BCHER-KVA.example']],
  ['zoë@xn--zrich-kva.example', ['Zoë@Zürich.example', '"zoe\u0308"@zu\u0308rich.example']],
  ['straße@example.com', ['STRAẞE@example.com']],
];

const ids = new Map<string, number>();
for (const [email] of MAILBOXES) ids.set(email, (await service.users.create({ name: 'n', email })).id);

const spelled = MAILBOXES.flatMap(([stored, others]) => [stored, ...others].map((email) => [email, stored] as const));

const found = async (query: string) =>
  ((await call('GET', `/api/users/all?fields=id&${query}`)).body as { id: number }[]).map(({ id }) => id);

const emailIs = (email: string, ending = '') => `email${ending}=${encodeURIComponent(email)}`;

test.each(['since the last fold', 'in the snapshot'])(
  'who gets a 409 finds the owner by the same text, %s',
  async (where) => {
    if (where === 'in the snapshot') await service.fold();
    for (const [email, stored] of spelled) {
      const taken = await call('POST', '/api/users', { json: { name: 'n', email } });
      expect([email, taken.body]).toEqual([email, { status: 409, message: 'There is a user with this email' }]);
      const others = [...ids.values()].filter((id) => id !== ids.get(stored));
      expect([email, await found(emailIs(email)), await found(emailIs(email, '.not'))]).toEqual([
        email,
        [ids.get(stored)],
        others,
      ]);
    }
    const several = spelled.slice(0, 8).map(([email]) => emailIs(email));
    expect(await found(several.join('&'))).toEqual([...ids.values()].slice(0, 2));
    // Other letters are another mailbox.
    for (const other of ['strasse@example.com', 'zoe@zürich.example', 'c d@example.com', 'bücher.example', '"', '@'])
      expect([other, await found(emailIs(other))]).toEqual([other, []]);
  },
);

test('a domain is counted in its form of DNS', async () => {
  await service.users.create({ name: 'n', email: 'eve@bücher.example' });
  await service.users.create({ name: 'n', email: 'fay@xn--bcher-kva.example' });
  const counts = [
    { 'email.domain': 'example.com', count: 4 },
    { 'email.domain': 'xn--bcher-kva.example', count: 3 },
    { 'email.domain': 'xn--zrich-kva.example', count: 1 },
  ];
  const ask = async () => (await call('GET', '/api/users/counts?by=email.domain')).body;
  expect(await ask()).toEqual({ total: 8, counts });
  await service.fold();
  expect(await ask()).toEqual({ total: 8, counts });
});
