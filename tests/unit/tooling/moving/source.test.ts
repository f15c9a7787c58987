import { Readable } from 'node:stream';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { toCsv } from '../../../../lib/http/response/csv.ts';
import { countLines } from '../../../../lib/tooling/moving/encoding.ts';
import { openSource } from '../../../../lib/tooling/moving/openSource.ts';
import type { Source, SourceEntry } from '../../../../lib/tooling/moving/source.ts';
import { anyText } from '../../../support/arbitraries.ts';

async function* pieces(bytes: Buffer, size: number): AsyncGenerator<Buffer> {
  for (let start = 0; start < bytes.length; start += size) yield bytes.subarray(start, start + size);
}

/** Reads a file in chunks of a size. */
async function read(content: string | Buffer, size = 65_536) {
  const said: string[] = [];
  const source = await openSource(pieces(Buffer.from(content), size), { name: 'f', say: (text) => said.push(text) });
  const entries = (await Readable.from(source.entries).toArray()) as SourceEntry[];
  return { said, entries, users: entries.map(({ user, flaw }) => user ?? flaw), source };
}

/** The file of lines that are all refused with one message. */
const refusedBy = (source: Source, entries: readonly SourceEntry[], message: string): string =>
  source.refusedHead + entries.map((entry) => source.refusedLine(entry, message)).join('');

const lines = (content: string | Buffer) => countLines(pieces(Buffer.from(content), 5), 'f');

describe('CSV', () => {
  test('may have columns in any order; unknown ones are named once', async () => {
    const { said, entries } = await read('Notes,age,name,id\nx,30,Ann,1\ny,,Bob,2\n');
    expect(entries).toEqual([
      { line: 2, origin: ['x', '30', 'Ann', '1'], user: { name: 'Ann', age: 30 }, id: 1 },
      { line: 3, origin: ['y', null, 'Bob', '2'], user: { name: 'Bob' }, id: 2 },
    ]);
    expect(said).toEqual(['Ignored, because the service does not know it: "Notes"']);
  });

  test.each([
    ['a byte order mark', '\uFEFFname,age\nÄnn,1\n'],
    ['CRLF', 'name,age\r\nÄnn,1\r\n'],
    ['CR', 'name,age\rÄnn,1\r'],
    ['no line break at the end', 'name,age\nÄnn,1'],
    ['semicolons', 'name;age\nÄnn;1\n'],
    ['tabs', 'name\tage\nÄnn\t1\n'],
    ["a spreadsheet's separator line", 'sep=;\r\nname;age\r\nÄnn;1\r\n'],
    ['everything in quotes', '"name","age"\n"Änn","1"\n'],
    ['rows with only separators', 'name,age\nÄnn,1\n,\n\n,\n'],
    ['lines of npm at its beginning', '\n> user-management@0.1.0 export\n> node x.ts\n\nname,age\nÄnn,1\n'],
  ])('with %s is read in chunks of any size', async (_, content) => {
    for (const size of [1, 2, 3, 65_536]) {
      expect((await read(content, size)).users).toEqual([{ name: 'Änn', age: 1 }]);
    }
  });

  test('may have line breaks, separators and quotes in quoted cells, and counts lines', async () => {
    const { entries } = await read('name,note\r\n"A ""B"", C","1\r\n2\n3"\r\nBob,\r\n');
    expect(entries.map(({ line, user }) => ({ line, user }))).toEqual([
      { line: 2, user: { name: 'A "B", C' } },
      { line: 5, user: { name: 'Bob' } },
    ]);
  });

  test('loses only the apostrophes that guard formulas', async () => {
    const { users } = await read("name,lastName\n'=1+1,'+x\n'Ann,''=a\n");
    expect(users).toEqual([
      { name: '=1+1', lastName: '+x' },
      { name: "'Ann", lastName: "'=a" },
    ]);
  });

  test('distinguishes an empty text from no value by quotes, unless everything is quoted', async () => {
    expect((await read('name,firstName,email,age\nAnn,"","",""\nBob,,,\n')).users).toEqual([
      { name: 'Ann', firstName: '' },
      { name: 'Bob' },
    ]);
    expect((await read('"name","firstName"\n"Ann",""\n')).users).toEqual([{ name: 'Ann' }]);
  });

  test.each([
    ['030', 30],
    ['-1', -1],
    ['1.5', 1.5],
    ['x', 'x'],
    [' 5', ' 5'],
    ['1e3', '1e3'],
  ])('with the age %j gives %j, and leaves it to the validator', async (cell, age) => {
    expect((await read(`name,age\nA,${cell}\n`)).users).toEqual([{ name: 'A', age }]);
  });

  test('with a broken line loses only that line', async () => {
    const content = ['name,age', 'A,1', '"B,2', 'C,3', 'D,"4"x', 'E"e,5', 'F,6,7', 'G', '"H, h",8', ''].join('\n');
    const noCsv = 'The line is not CSV: a quote is missing, or there is one too many';
    const { entries } = await read(content, 4);
    expect(entries.map(({ line, user, flaw }) => [line, flaw ?? user])).toEqual([
      [2, { name: 'A', age: 1 }],
      [3, noCsv],
      [4, { name: 'C', age: 3 }],
      [5, noCsv],
      [6, noCsv],
      [7, 'The line has 3 cells, and the first row 2'],
      [8, 'The line has 1 cells, and the first row 2'],
      [9, { name: 'H, h', age: 8 }],
    ]);
  });

  test('is not kept in memory for an unclosed quote or an endless line', async () => {
    const many = 'x,1\n'.repeat(3_000);
    const { entries } = await read(`name,age\n"A,1\n${many}${'y'.repeat(3_000_000)}\nB,2\n`);
    expect(entries).toHaveLength(3_003);
    expect(entries[0]?.flaw).toBe('The line is not CSV: a quote is missing, or there is one too many');
    expect(entries.at(-2)?.flaw).toBe('The line is longer than 262144 characters');
    expect(String(entries.at(-2)?.origin).length).toBeLessThan(300_000);
    expect(entries.at(-1)).toMatchObject({ line: 3_004, user: { name: 'B', age: 2 } });
  });

  test.each([
    ['', 'f has no column "name" in its first row, which names the columns'],
    ['Ann,30\n', 'f has no column "name" in its first row, which names the columns'],
    ['name,age,name\n', 'f has two columns name'],
    ['id,name,id\n', 'f has two columns id'],
    ['[{"name":"Ann"}]', 'f is a JSON array: import takes CSV, or one JSON object per line'],
  ])('must not be %j', async (content, message) => {
    await expect(read(content)).rejects.toThrow(message);
  });

  test('of the service is restored exactly', async () => {
    // Texts in the service have no control characters.
    const unit = fc.oneof(anyText(2), fc.constantFrom('"', "'", '=', ',', '\u2028'));
    const text = fc
      .array(unit, { maxLength: 4 })
      .map((units) => units.join(''))
      .filter((value) => value.isWellFormed() && !/\p{Cc}/u.test(value));
    const user = fc.record({ name: text, lastName: text, firstName: text, age: fc.nat() }, { requiredKeys: ['name'] });
    await fc.assert(
      fc.asyncProperty(fc.array(user, { maxLength: 4 }), fc.integer({ min: 1, max: 9 }), async (users, size) => {
        const csv = toCsv(users.map((fields, index) => ({ ...fields, id: index + 1, version: 1 })));
        expect((await read(csv, size)).users).toEqual(users.map((fields) => ({ ...fields })));
      }),
      { numRuns: 200 },
    );
  });

  test('that is refused can be corrected and read again', async () => {
    const { source, entries } = await read('age;name;note\n-5;"A;a";"x\ny"\n"B;1\n');
    const refused = refusedBy(source, entries, 'No; "way"');
    expect(refused).toBe(
      'line;message;age;name;note\r\n2;"No; ""way""";-5;"A;a";"x\ny"\r\n4;"No; ""way""";"""B;1"\r\n',
    );
    const again = await read(refused.replace('-5', '5'));
    expect(again.users[0]).toEqual({ age: 5, name: 'A;a' });
    expect(again.said).toEqual(['Ignored, because the service does not know it: "note"']);
  });

  test.each(['name,lastName,firstName\nAnn,"",\n', '"name","lastName"\n"Ann",""\n'])(
    'that is refused keeps empty texts, and what has no value: %j',
    async (content) => {
      const { source, entries, users } = await read(content);
      expect((await read(refusedBy(source, entries, 'No'))).users).toEqual(users);
    },
  );

  test('keeps an id that is no integer as text', async () => {
    const { entries } = await read('id,name\n9007199254740991.4,Ann\n7,Bob\n');
    expect(entries.map(({ id }) => id)).toEqual(['9007199254740991.4', 7]);
  });
});

describe('NDJSON', () => {
  test('has one object per line; any other line is reported', async () => {
    const { entries, said } = await read(
      '{"name":"A\u2028","id":7,"age":1,"extra":{}}\r\n\n[1]\n{"name"\nnull\n{"extra":1,"firstName":null}',
    );
    const flaw = 'The line is not a JSON object';
    expect(entries.map(({ origin: _, ...entry }) => entry)).toEqual([
      { line: 1, user: { name: 'A\u2028', age: 1 }, id: 7 },
      { line: 3, flaw },
      { line: 4, flaw },
      { line: 5, flaw },
      { line: 6, user: { firstName: null } },
    ]);
    expect(said).toEqual(['Ignored, because the service does not know it: "extra"']);
  });

  test('that is refused keeps its content', async () => {
    const { source, entries } = await read('{"age":-1,"name":"A"}\n{"x\n');
    expect(refusedBy(source, entries, 'No')).toBe(
      '{"age":-1,"name":"A","line":1,"message":"No"}\n{"text":"{\\"x","line":2,"message":"No"}\n',
    );
  });

  test('that is refused again keeps its numbers, has one reason, and may be nested deep', async () => {
    const deep = `{"name":"A","x":${'['.repeat(100_000)}${']'.repeat(100_000)}}`;
    const { source, entries } = await read(
      `{"age":1e400,"line":7,"message":"Old \\"}"}\n{}\n{ "name": 1.50 }\n${deep}\n`,
    );
    expect(entries.map((entry) => source.refusedLine(entry, 'No'))).toEqual([
      '{"age":1e400,"line":1,"message":"No"}\n',
      '{"line":2,"message":"No"}\n',
      '{ "name": 1.50,"line":3,"message":"No"}\n',
      `${deep.slice(0, -1)},"line":4,"message":"No"}\n`,
    ]);
  });
});

describe('a file', () => {
  test('in Latin-1 or UTF-16 is refused with the line and a solution', async () => {
    const latin1 = Buffer.from('name,age\nAnn,1\nJörg,2\n', 'latin1');
    await expect(lines(latin1)).rejects.toThrow(
      'f is not UTF-8 (line 3): it may be Latin-1 or Windows-1252. Save it as "CSV UTF-8", or convert it: iconv -f WINDOWS-1252 -t UTF-8',
    );
    await expect(read(latin1)).rejects.toThrow('f is not UTF-8 (line 3)');
    const utf16 = Buffer.from('\uFEFFname\nAnn\n', 'utf16le');
    await expect(lines(utf16)).rejects.toThrow('f is not UTF-8 (line 1): it may be UTF-16.');
  });

  test.each([
    ['ends in a character', ['a\n\xe2\x82']],
    // The next chunk shows that the bad byte begins no character.
    ['has a bad byte at the end of a chunk', ['name\nRen\xe9', ' A\nAnn\nBob\n']],
    ['has a character that is cut, byte by byte', [...'a\n\xf0\x9f\x98b\nc\n']],
  ])('that %s is refused with the line', async (_, chunks) => {
    const bytes = Readable.from(chunks.map((chunk) => Buffer.from(chunk, 'latin1')));
    await expect(countLines(bytes, 'f')).rejects.toThrow('f is not UTF-8 (line 2)');
  });

  test.each([
    ['', 0],
    ['a', 1],
    ['a\n', 1],
    ['äöü\r\n€€€\n\n😀', 4],
  ])('with the content %j has %d lines', async (content, count) => {
    expect(await lines(content)).toBe(count);
  });
});
