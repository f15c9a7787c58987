import { Readable } from 'node:stream';
import { describe, expect, test } from 'vitest';
import { openSource } from '../../../../tools/import/openSource.ts';
import { createKeyCheck } from '../../../../tools/import/touchedKeys.ts';
import { reasonOf } from '../../../../tools/program/stop.ts';

const PEOPLE = [
  { externalId: '0047', name: 'Ann A', email: 'ann@t.example' },
  { externalId: '4711', name: 'Bob B', email: 'bob@t.example' },
  { externalId: '1-2', name: 'Cy C' },
  { externalId: '100023000000', name: 'Di D' },
  { externalId: 'ab12', name: 'Flo F' },
];

interface Look {
  known?: readonly { externalId: string; name: string; email?: string }[];
  deletes?: boolean;
  isAsWritten?: boolean;
  nothing?: string;
}

/** Looks at a file. @returns why lines are refused, who is missing, and why nobody is deleted */
async function look(content: string, { known = PEOPLE, deletes = true, isAsWritten = false, ...more }: Look = {}) {
  const users = known.map((user, index) => [user.externalId, JSON.stringify({ id: index + 1, ...user })] as const);
  const keys = createKeyCheck(new Map(users), deletes, isAsWritten);
  const options = { title: 'f', map: [], keepsIds: false, say: () => undefined, ...more };
  const { entries } = await openSource(Readable.from([Buffer.from(content)]), options);
  const flaws: (string | undefined)[] = [];
  for await (const entry of entries) flaws.push(keys.see(entry));
  const reasonToStop = () => {
    try {
      keys.check('Nobody is deleted');
      return undefined;
    } catch (error) {
      return reasonOf(error).split('\n').slice(1, -1);
    }
  };
  return { flaws, stop: reasonToStop(), missing: keys.missing().map(({ name }) => name), unread: keys.unread() };
}

/** The file of all people in which one key is another text. */
const fileWith = (key: string, instead: string): string =>
  ['externalId;name;email']
    .concat(
      PEOPLE.map(({ externalId, name, email = '' }) =>
        [externalId === key ? instead : externalId, name, email].join(';'),
      ),
    )
    .join('\n');

const UNSEEN = 'has white space at an end, or an invisible character';
const ROUNDED = 'is a number that a program has rounded';
const ERROR = "is a spreadsheet's error";
const NOTHING = "is a program's word for no value";
const MARK = 'has a mark that a program has put there';

describe('a sync stops, and deletes nobody, when a key', () => {
  test.each([
    ['4711 ', '4711 ', UNSEEN],
    [' 4711', ' 4711', UNSEEN],
    ['\u00a04711', '\\u{a0}4711', UNSEEN],
    ['4711\u3000', '4711\\u{3000}', UNSEEN],
    ['4711\u200b', '4711\\u{200b}', UNSEEN],
    ['47\ufeff11', '47\\u{feff}11', UNSEEN],
    ['47\u00ad11', '47\\u{ad}11', UNSEEN],
    ['4711\u{e0001}', '4711\\u{e0001}', UNSEEN],
    ['1.00023E+11', '1.00023E+11', ROUNDED],
    ['1,00023e+11', '1,00023e+11', ROUNDED],
    ['1.00023E11', '1.00023E11', ROUNDED],
    ['1E+11', '1E+11', ROUNDED],
    ['#N/A', '#N/A', ERROR],
    ['#N/D', '#N/D', ERROR],
    ['#VALUE!', '#VALUE!', ERROR],
    ['#REF!', '#REF!', ERROR],
    ['#DIV/0!', '#DIV/0!', ERROR],
    ['#NAME?', '#NAME?', ERROR],
    ['#¿NOMBRE?', '#¿NOMBRE?', ERROR],
    ['#BEZUG!', '#BEZUG!', ERROR],
    ['#NV', '#NV', ERROR],
    ['########', '########', ERROR],
    ['Err:502', 'Err:502', ERROR],
    ['None', 'None', NOTHING],
    ['nan', 'nan', NOTHING],
    ['<NA>', '<NA>', NOTHING],
    ['[NULL]', '[NULL]', NOTHING],
    ['undefined', 'undefined', NOTHING],
    ["'4711", "'4711", MARK],
    ['"=""4711"""', '=\\"4711\\"', MARK],
    ['"""4711"""', '\\"4711\\"', MARK],
    ['47\ufffd11', '47\ufffd11', MARK],
  ])('is no key: %j', async (cell, shown, what) => {
    const { flaws, stop, missing } = await look(fileWith('4711', cell));
    expect(missing).toEqual(['Bob B']);
    expect(stop).toEqual([`Line 3: externalId "${shown}" ${what}`]);
    expect(flaws[1]).toBe(`externalId "${shown}" ${what}: correct it, or say --keys-as-written`);
    expect(flaws.filter((flaw) => flaw)).toHaveLength(1);
    const meant = await look(fileWith('4711', cell), { isAsWritten: true });
    expect([meant.stop, meant.missing, meant.flaws[1]]).toEqual([undefined, ['Bob B'], undefined]);
  });

  test.each(['\\N', 'NULL', 'null'])('is a null of a database, whatever --null says: %j', async (cell) => {
    const named = [`Line 3: externalId ${JSON.stringify(cell)} ${NOTHING}`];
    expect((await look(fileWith('4711', cell))).stop).toEqual(named);
    expect((await look(fileWith('4711', cell), { nothing: '' })).stop).toEqual(named);
    expect((await look(fileWith('4711', cell), { nothing: cell })).stop).toEqual([
      'Line 3 has no externalId, and seems to be Bob B (4711), who is not in the file',
    ]);
  });

  test.each([
    ['0047', '47', 'Ann A', 2],
    ['4711', '4,711', 'Bob B', 3],
    ['4711', '4\u202f711', 'Bob B', 3],
    ['4711', '4711.0', 'Bob B', 3],
    ['4711', '{4711}', 'Bob B', 3],
    ['1-2', '1–2', 'Cy C', 4],
    ['ab12', 'AB12', 'Flo F', 6],
  ])('differs from that of somebody missing as programs change keys: %j, %j', async (key, cell, name, line) => {
    const { stop } = await look(fileWith(key, cell).replace(`${name};`, 'Another name;'));
    expect(stop).toEqual([
      expect.stringMatching(`^Line ${line} has externalId ".*", and seems to be ${name} \\(${key}\\), who is not in`),
    ]);
  });

  test.each([
    ['1-2', '02-Jan', 'Cy C (1-2)', 4],
    ['4711', '9999', 'Bob B (4711)', 3],
    ['0047', '4711', 'Ann A (0047)', 2],
  ])('stands in a line with the name of somebody missing: %j, %j', async (key, cell, who, line) => {
    expect((await look(fileWith(key, cell))).stop).toEqual([
      expect.stringMatching(`^Line ${line} has externalId ".*", and seems to be ${who.replace(/[()]/g, '\\$&')}, who`),
    ]);
  });

  test('is none at all, and the line has the name of somebody missing', async () => {
    const { stop, flaws } = await look(fileWith('4711', ''));
    expect(stop).toEqual(['Line 3 has no externalId, and seems to be Bob B (4711), who is not in the file']);
    expect(flaws[1]).toBe('externalId is required: --by finds users by it');
  });
});

describe('a sync goes on', () => {
  test('with codes that only look a little like something else', async () => {
    const codes = ['12E5', '1E10', '7e12', '#7', 'NA', 'null-7', 'AB 12', 'auth0|6551', "O'Brien", 'Ωμέγα', '3.5', '-'];
    const known = codes.map((externalId, n) => ({ externalId, name: `N${n}` }));
    const content = ['externalId;name', ...codes.map((code, n) => `${code};N${n}`)].join('\n');
    const nothing = { flaws: codes.map(() => undefined), stop: undefined, missing: [], unread: 0 };
    expect(await look(content, { known })).toEqual(nothing);
    expect(await look(content, { known: [] })).toEqual(nothing);
  });

  test('when somebody leaves and another one comes, also one with the same name and another address', async () => {
    const { stop, missing } = await look(`${fileWith('4711', '99').replace('bob@t', 'robert@t')}\n98;New;`);
    expect([stop, missing]).toEqual([undefined, ['Bob B']]);
  });

  test('when of many who leave and come a few have the same name by chance', async () => {
    const known = Array.from({ length: 20 }, (_, n) => ({ externalId: `old-${n}`, name: `N${n}` }));
    const namesakes = (count: number) =>
      ['externalId;name', ...known.slice(0, count).map(({ name }, n) => `new-${n}-;${name}`)].join('\n');
    expect((await look(namesakes(2), { known })).stop).toBeUndefined();
    expect((await look(namesakes(3), { known })).stop).toHaveLength(3);
  });

  test('and refuses lines alone if nobody is to be deleted', async () => {
    const { flaws } = await look(fileWith('4711', '4711 '), { deletes: false });
    expect(flaws).toEqual([
      undefined,
      `externalId "4711 " ${UNSEEN}: correct it, or say --keys-as-written`,
      ...[undefined, undefined, undefined],
    ]);
    expect((await look(fileWith('0047', '47'), { deletes: false })).stop).toBeUndefined();
  });
});

describe('a sync with keys of another source', () => {
  const WORDS = ['Xu', 'Yves', 'Zora', 'Will', 'Vera'];
  const other = (count: number, rest = '') =>
    ['externalId;name;email']
      .concat(
        PEOPLE.map(({ externalId, name, email = '' }, n) =>
          n < count ? `${externalId};${WORDS[n]} Q;${n}@q.example` : `${externalId};${name};${email}`,
        ),
      )
      .join('\n') + rest;
  const stopOf = async (content: string, more: Look = {}) => (await look(content, { deletes: false, ...more })).stop;

  test('stops if most lines with keys that are there would make other people of users', async () => {
    expect(await stopOf(other(3))).toEqual([
      'Line 2 would make Xu Q of Ann A ("0047")',
      'Line 3 would make Yves Q of Bob B ("4711")',
      'Line 4 would make Zora Q of Cy C ("1-2")',
    ]);
    expect(await stopOf(other(2))).toBeUndefined();
    expect(await stopOf(other(3), { isAsWritten: true })).toBeUndefined();
    expect(await stopOf(other(3), { deletes: true })).toHaveLength(3);
    // New people beside them do not make it right.
    expect(await stopOf(other(3, `\n${WORDS.map((name) => `${name};${name};`).join('\n')}`))).toHaveLength(3);
  });

  test.each([
    ['a new last name', '0047;Ann Miller;ann.miller@t.example'],
    ['a name in other words, and the same address', '0047;A. B.;ANN@t.example'],
    ['another address', '0047;ann a;x@q.example'],
    ['the name in another order, with accents', '0047;A, Änn;'],
  ])('goes on if users only get %s', async (_, row) => {
    expect(await stopOf(`externalId;name;email\n${row}\n`)).toBeUndefined();
  });

  test('stops for one line, also if it has no address', async () => {
    expect(await stopOf('externalId;name\n0047;Xu Q\n')).toEqual(['Line 2 would make Xu Q of Ann A ("0047")']);
    expect(await stopOf('{"externalId":"0047"}\n{"externalId":"1","name":"A"}\n')).toBeUndefined();
  });

  test('refuses such lines one by one if nobody has looked at all of them', async () => {
    const users = new Map(PEOPLE.map((user) => [user.externalId, JSON.stringify(user)] as const));
    const keys = createKeyCheck(users, false, false, true);
    const entry = { line: 2, origin: '', user: { externalId: '0047', name: 'Xu Q' } };
    expect(keys.see(entry)).toBe('Line 2 would make Xu Q of Ann A ("0047"): if that is right, say --keys-as-written');
    expect(keys.see({ ...entry, line: 3, user: { externalId: '4711', name: 'Bob' } })).toBeUndefined();
    expect(() => keys.check('Nobody is deleted')).not.toThrow();
  });
});

test('a line that cannot be read may be of anybody, unless it is a total or repeats the first row', async () => {
  const content = 'externalId;name\n4711;Bob B\n0047"x;Ann A\n1;2;3\nTotal;5\nexternalId;name\n';
  expect((await look(content)).unread).toBe(2);
  expect((await look(content, { isAsWritten: true })).unread).toBe(0);
  expect((await look('{"externalId":"1","name":"A"}\n{"externalId"\n')).unread).toBe(1);
});

test('of many lines with touched keys ten are named', async () => {
  const rows = Array.from({ length: 2_012 }, (_, n) => `${n}\u00a0;N${n}`);
  const { stop } = await look(['externalId;name', ...rows].join('\n'));
  expect([stop?.length, stop?.[9], stop?.[10]]).toEqual([
    11,
    `Line 11: externalId "9\\u{a0}" ${UNSEEN}`,
    'and 2,002 more lines',
  ]);
});
