import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { type Member, shownUser } from '../../../../lib/http/parameters/fields.ts';
import { escapeFormula, formOf, unescapeFormula, written } from '../../../../lib/http/response/forms.ts';
import { user } from '../../../../schemas/user.ts';
import { anyText } from '../../../support/arbitraries.ts';

const SIGNS = ['=', '+', '-', '@', '\t', '\r', '\n', '＝', '＋', '－', '＠', '﹦', '﹢', '﹣', '﹫'];
const HIDDEN = [
  ...['', ' ', '\u00A0', '\u200B', '\uFEFF', '\u2028', '\u3000', '\u00AD', '\u2060', '\u3164', '\t', ' \u200B\u3000'],
];

describe('a text that a spreadsheet would take for a formula', () => {
  test.each(HIDDEN)('gets an apostrophe, also after the invisible text %j, and after a semicolon', (hidden) => {
    for (const sign of SIGNS)
      expect(escapeFormula(`${hidden}${sign}1;a;${hidden}${sign}1`)).toBe(`'${hidden}${sign}1;a;'${hidden}${sign}1`);
    expect(escapeFormula(`'${hidden}=1`)).toBe(`''${hidden}=1`);
  });

  test.each(['', 'Ann', 'a=1', "O'Neil", "'Ann", "'", ' Ann', '\u200BAnn', '1-1', 'ann+tag@example.com'])(
    'is not %j, which stays as it is',
    (text) => {
      expect([escapeFormula(text), unescapeFormula(text)]).toEqual([text, text]);
    },
  );

  test('is restored exactly by a reader', () => {
    const unit = fc.oneof(fc.constantFrom("'", ';', ...SIGNS, ...HIDDEN, 'a', '\uD800'), anyText(2));
    const texts = fc.array(unit, { maxLength: 8 }).map((units) => units.join(''));
    fc.assert(
      fc.property(texts, (text) => unescapeFormula(escapeFormula(text)) === text),
      { numRuns: 10_000 },
    );
  });
});

describe('attributes', () => {
  /** Others stand among them. */
  const CONTRACT = 'id,name,email,age,firstName,lastName,createdAt,status,country,externalId,attributes';
  const users = [
    { id: 1, name: 'Ann', attributes: { constructor: '=1', level: -0.5, on: false, teams: ['red', 'a;=b'] } },
    { id: 2, name: 'Bea' },
  ];
  const csvWith = (members: readonly Member[] | undefined) =>
    written(
      formOf('text/csv', { members }),
      users.map((each) => shownUser(each, { members })),
    );

  test('are the last column, as JSON that is no formula', () => {
    const json = '{""constructor"":""=1"",""level"":-0.5,""on"":false,""teams"":[""red"",""a;\'=b""]}';
    const [header, ann, bea] = csvWith(undefined).split('\r\n');
    const columns = (header ?? '').split(',');
    expect(columns).toEqual(Object.keys(user.properties));
    expect(columns.filter((column) => CONTRACT.split(',').includes(column)).join()).toBe(CONTRACT);
    const empty = ','.repeat(columns.length - CONTRACT.split(',').indexOf('createdAt') - 1);
    expect([ann, bea]).toEqual([
      `1,Ann,,,,,2020-01-01T00:00:00.000Z${empty}"${json}"`,
      `2,Bea,,,,,2020-01-01T00:00:00.000Z${empty}`,
    ]);
  });

  test('have a column each if they are named, of which nobody needs to have one', () => {
    const named = ['on', 'constructor', 'teams', 'level', 'toString'].map((name): Member => `attributes.${name}`);
    expect(csvWith(['id', ...named])).toBe(
      [`id,${named.join()}`, '1,false,\'=1,"[""red"",""a;\'=b""]",-0.5,', '2,,,,,', ''].join('\r\n'),
    );
  });

  test('are left out but for those that are named', () => {
    const shown = (members: readonly Member[]) => users.map((each) => shownUser(each, { members }));
    expect(Object.keys(shown(['attributes.on', 'id'])[0] ?? {})).toEqual(['id', 'attributes']);
    expect(shown(['id', 'attributes.teams', 'attributes.then'])).toEqual([
      { id: 1, attributes: { teams: ['red', 'a;=b'] } },
      { id: 2 },
    ]);
    expect(shown(['attributes', 'attributes.level', 'id'])[0]).toEqual({ id: 1, attributes: users[0]?.attributes });
  });
});
