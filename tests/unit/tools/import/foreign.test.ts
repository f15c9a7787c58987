import { Readable } from 'node:stream';
import { describe, expect, test } from 'vitest';
import { createdAt } from '../../../../lib/users/ids.ts';
import type { SourceOptions } from '../../../../tools/import/columns.ts';
import { fitted } from '../../../../tools/import/foreign.ts';
import { type ImportOptions, importUsers, newTally } from '../../../../tools/import/importUsers.ts';
import { openSource } from '../../../../tools/import/openSource.ts';
import type { Sent } from '../../../../tools/import/sendUser.ts';
import { summaryOf } from '../../../../tools/import/summary.ts';

const LONG = 'x'.repeat(65);
const TOO_LONG = 'x'.repeat(501);

describe('attributes of other products', () => {
  test.each<[string, unknown, unknown]>([
    ['a list of one text that fits as a list', ['de'], ['de']],
    ['a list of one text that fits as a text alone', [LONG], LONG],
    ['a list with a text twice', ['a', 'b', 'a'], ['a', 'b']],
    ['a list with an empty text', ['', 'a'], ['a']],
    ['an empty text', '', null],
    ['a list of an empty text', ['', ''], null],
    ['an empty list', [], null],
    ['null', null, null],
    ['false', false, false],
    ['a number', 0.5, 0.5],
  ])('%s: %j is %j', (_, value, fits) => {
    expect(fitted({ member: value })).toEqual({ attributes: { member: fits }, leftOut: [] });
  });

  test.each<[string, unknown]>([
    ['an object', { plan: 'pro' }],
    ['a list of numbers', [1, 2]],
    ['a list of objects', [{}]],
    ['a list with null', ['a', null]],
    ['a text that is too long', TOO_LONG],
    ['a list of one that is too long', [TOO_LONG]],
    ['a list of two that are too long for a list', [LONG, 'a']],
    ['a list of too many', Array.from({ length: 21 }, (_, n) => String(n))],
    ['a text with control characters', 'a\u0000'],
    ['a number that would be rounded', Number.NaN],
  ])('that are %s are left out, and others are taken', (_, value) => {
    expect(fitted({ member: value, team: 'red' })).toEqual({ attributes: { team: 'red' }, leftOut: ['member'] });
  });

  test('get names as columns do; one that is right as it is comes first', () => {
    const given = { 'Größe (cm)': '170', 'a b': 1, a_b: 2, 部署: 'IT', '9x': true, constructor: 'c', __proto__x: 1 };
    expect(fitted(given)).toEqual({
      attributes: { a_b: 2, constructor: 'c', Gro_e_cm: '170', x: true, proto__x: 1 },
      leftOut: ['a b', '部署'],
    });
  });

  test('that are no object are left out as a whole', () => {
    expect(fitted([{ Name: 'a', Value: 'b' }])).toEqual({ attributes: {}, leftOut: ['attributes'] });
  });

  test('that are too many lose the last ones, and too long ones the longest', () => {
    const many = Object.fromEntries(Array.from({ length: 52 }, (_, n) => [`a${n}`, n]));
    expect(fitted({ ...many, none: '' })).toMatchObject({ leftOut: ['a50', 'a51'] });
    const long = Object.fromEntries(Array.from({ length: 9 }, (_, n) => [`a${n}`, 'x'.repeat(480 + n)]));
    const { attributes, leftOut } = fitted(long);
    expect([Object.keys(attributes), leftOut]).toEqual([['a0', 'a1', 'a2', 'a3', 'a4', 'a5', 'a6', 'a7'], ['a8']]);
  });
});

/** The users of a file that are sent, the lines that are refused, and the summary of the rest. */
async function importing(content: string, source: Partial<SourceOptions> = {}, more: Partial<ImportOptions> = {}) {
  const options = { title: 'f', map: [], keepsIds: false, say: () => undefined, ...source };
  const tally = newTally();
  const [sent, refused]: [Sent[], string[]] = [[], []];
  await importUsers({
    source: await openSource(Readable.from([Buffer.from(content)]), options),
    refused: { write: (line) => refused.push(line), close: () => undefined },
    parallel: 1,
    keepsIds: options.keepsIds,
    send: async (user) => {
      sent.push(user);
      return { is: user.fields.name === 'No' ? 'refused' : 'created' };
    },
    tally,
    onProgress: () => undefined,
    say: () => undefined,
    endReading: () => undefined,
    ...more,
  });
  const settings = { isDryRun: false, isSync: false, deletesMissing: false, refused: '' };
  const [, left = ''] = summaryOf(tally, settings as never, 1).split('\n');
  return { fields: sent.map(({ fields }) => fields), given: sent.map(({ given }) => given), refused, left };
}

describe('an import of them', () => {
  const LDAP = `{"firstName":"Lia","lastName":"Lang","attributes":{"DN":["${LONG}"],"locale":["de"],"old":[""],"x":{}}}\n`;

  test('has the user, and says at the end which members are left out of how many users', async () => {
    const { fields, given, refused, left } = await importing(LDAP + LDAP.replace('"old"', '"x y":[3],"old"'));
    const user = { name: 'Lia Lang', firstName: 'Lia', lastName: 'Lang', attributes: { DN: LONG, locale: ['de'] } };
    expect([fields, refused]).toEqual([[user, user], []]);
    // A sync takes away what has no value, and leaves alone what does not fit.
    expect(given[1]?.attributes).toEqual({ DN: LONG, locale: ['de'], old: null });
    expect(left).toBe('Left out, because no attribute can be so: "x" of 2 users, "x y" of 1 user');
  });

  test('takes with --attributes what fits, of NDJSON and of CSV', async () => {
    const line = '{"name":"A","app_metadata":{"plan":"pro"},"email_verified":true}\n';
    expect(await importing(line, { takesOthers: true })).toMatchObject({
      fields: [{ name: 'A', attributes: { email_verified: true } }],
      left: 'Left out, because no attribute can be so: "app_metadata" of 1 user',
    });
    expect(await importing(`name,Bio,Team\nA,${TOO_LONG},red\n`, { takesOthers: true })).toMatchObject({
      fields: [{ name: 'A', attributes: { Team: 'red' } }],
      left: 'Left out, because no attribute can be so: "Bio" of 1 user',
    });
  });

  test('leaves out a member without a name for an attribute in a late line; two for one field refuse it', async () => {
    const first = '{"name":"A"}\n'.repeat(1_000);
    const late = '{"name":"B","a b":1,"部署":2,"a_b":3}\n{"name":"C","NAME":"D"}\n';
    const { fields, refused, left } = await importing(first + late, { takesOthers: true });
    expect(fields.slice(1_000)).toEqual([{ name: 'B', attributes: { a_b: 1 } }]);
    expect(refused).toEqual([expect.stringContaining('The line has two columns for name')]);
    expect(left).toBe('Left out, because no attribute can be so: "部署" of 1 user, "a_b" of 1 user');
  });

  test('counts no line that is refused', async () => {
    const lines = LDAP.replace('"Lia"', '"Lia","email":"no"') + LDAP.replace('"Lia"', '"Lia","name":"No"');
    const { refused, left } = await importing(lines);
    expect([refused.length, left]).toEqual([2, '']);
  });

  test.each([
    ['of an export', `{"id":7,"createdAt":"${createdAt(7)}","name":"A","attributes":{"x":[""]}}\n`, {}],
    ['whose ids are kept', '{"id":7,"name":"A","attributes":{"x":[""]}}\n', { keepsIds: true }],
    ['of an export as CSV', `id,name,createdAt,attributes\n7,A,${createdAt(7)},"{""x"":[""""]}"\n`, {}],
  ])('is strict with a line %s', async (_, content, source) => {
    const { fields, refused } = await importing(content, source);
    expect([fields, refused]).toEqual([[], [expect.stringContaining('attributes.x.0 must not be empty')]]);
  });

  test('is strict with a cell of attributes that is no JSON', async () => {
    const { refused } = await importing('name,attributes\nA,{\n');
    expect(refused).toEqual([expect.stringContaining('attributes must be an object')]);
  });

  test('names twenty members, and what a terminal would obey by its code', async () => {
    const members = Array.from({ length: 25 }, (_, n) => `"a${n}\u009b":{}`).join();
    const { left } = await importing(`{"name":"A","attributes":{${members}}}\n`);
    expect(left).toMatch(
      /^Left out, because no attribute can be so: "a0[^\u009b]+" of 1 user, .*, and 5 more members$/,
    );
  });
});
