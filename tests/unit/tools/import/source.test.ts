import { spawnSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { gzipSync } from 'node:zlib';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { formOf, written } from '../../../../lib/http/response/forms.ts';
import { KINDS, PLAIN_FIELDS, pickFields, represent, type UserFields } from '../../../../lib/users/user.ts';
import { readMap, type SourceOptions } from '../../../../tools/import/columns.ts';
import { textOf } from '../../../../tools/import/encoding.ts';
import { createKinds } from '../../../../tools/import/kinds.ts';
import { countLines } from '../../../../tools/import/lines.ts';
import { openSource } from '../../../../tools/import/openSource.ts';
import type { Source, SourceEntry } from '../../../../tools/import/source.ts';
import { anyText, attributes } from '../../../support/arbitraries.ts';
import { folderForTest } from '../../../support/programs.ts';

async function* pieces(bytes: Buffer, size: number): AsyncGenerator<Buffer> {
  for (let start = 0; start < bytes.length; start += size) yield bytes.subarray(start, start + size);
}

/** Not every machine has it. */
const JQ = 'jq';

/** Reads a file in chunks of a size. */
async function read(
  content: string | Buffer,
  size = 65_536,
  map: readonly string[] = [],
  more: Partial<SourceOptions> = {},
) {
  const said: string[] = [];
  const source = await openSource(pieces(Buffer.from(content), size), {
    title: 'f',
    map: readMap(map),
    keepsIds: false,
    say: (text) => said.push(text),
    ...more,
  });
  const entries = (await Readable.from(source.entries).toArray()) as SourceEntry[];
  return { said, entries, users: entries.map(({ user, flaw }) => flaw ?? user), source };
}

/** The file of lines that are all refused with one message. */
const refusedBy = (source: Source, entries: readonly SourceEntry[], message: string): string =>
  source.refusedHead + entries.map((entry) => source.refusedLine(entry, message)).join('');

const lines = (content: string | Buffer) => countLines(textOf(pieces(Buffer.from(content), 5), 'f'));

describe('CSV', () => {
  test('may have columns in any order; unknown ones are named once', async () => {
    const { said, entries } = await read('Notes,age,name,id\nx,30,Ann,1\ny,,Bob,2.5\n');
    expect(entries).toEqual([
      { line: 2, origin: ['x', '30', 'Ann', '1'], user: { name: 'Ann', age: 30 }, id: 1 },
      { line: 3, origin: ['y', null, 'Bob', '2.5'], user: { name: 'Bob' }, id: '2.5' },
    ]);
    expect(said).toEqual(['Ignored columns: "Notes", "id"']);
  });

  test.each([
    ['a byte order mark', '\uFEFFname,age\nÄnn,1\n'],
    ['CRLF', 'name,age\r\nÄnn,1\r\n'],
    ['CR', 'name,age\rÄnn,1\r'],
    ['no line break at the end', 'name,age\nÄnn,1'],
    ['semicolons', 'name;age\nÄnn;1\n'],
    ['tabs', 'name\tage\nÄnn\t1\n'],
    ['vertical bars', 'name|age\nÄnn|1\n'],
    ['blanks around all cells', ' name | age \n Änn  |   1 \n'],
    ["a spreadsheet's separator line", 'sep=;\r\nname;age\r\nÄnn;1\r\n'],
    ['everything in quotes', '"name","age"\n"Änn","1"\n'],
    ['rows with only separators, blanks or quotes', 'name,age\nÄnn,1\n,\n\n , \n"",""\n'],
    ['UTF-16 and its mark', Buffer.from('\uFEFFname\tage\r\nÄnn\t1\r\n', 'utf16le')],
    ['big-endian UTF-16 and its mark', Buffer.from('\uFEFFname\tage\nÄnn\t1\n', 'utf16le').swap16()],
    ['blanks around quotes', '"name" , "age"\n"Änn", "1"\n'],
    ['the type that PowerShell writes first', '#TYPE System.Object\r\n"name","age"\r\n"Änn","1"\r\n'],
    ['the version that Entra writes first', 'version:v1.0,\nname,age\nÄnn,1\n'],
    ['names in other spellings', 'First Name,LAST_NAME,E-Mail,Age\nÄnn,,,1\n'],
    ['lines of npm at its beginning', '\n> user-management@0.1.0 export\n> node x.ts\n\nname,age\nÄnn,1\n'],
  ])('with %s is read in chunks of any size', async (_, content) => {
    for (const size of [1, 2, 3, 65_536]) {
      expect((await read(content, size)).users).toEqual([expect.objectContaining({ name: 'Änn', age: 1 })]);
    }
  });

  test.each<[string, string, object[], string[]?]>([
    [
      'line breaks, separators and quotes in quoted cells',
      'name,note\r\n"A ""B"", C","1\r\n2\n3"\r\nBob,\r\n',
      [{ name: 'A "B", C' }, { name: 'Bob' }],
    ],
    [
      'apostrophes, of which only those go that guard formulas',
      "name,lastName\n'=1+1,'+x\n'Ann,''=a\n",
      [
        { name: '=1+1', lastName: '+x' },
        { name: "'Ann", lastName: "'=a" },
      ],
    ],
    [
      'quotes that tell an empty text from no value',
      'name,firstName,email,age\nAnn,"","",""\nBob,,,\n',
      [{ name: 'Ann', firstName: '' }, { name: 'Bob' }],
    ],
    ['quotes everywhere, which tell nothing', '"name","firstName"\n"Ann",""\n', [{ name: 'Ann' }]],
    [
      'columns that --map names, also where two are alike',
      'E-Mail,Email,"Name, full",x\na@a.example,b@b.example,Ann,1\n',
      [{ email: 'a@a.example', name: 'Ann', age: 1 }],
      ['E-Mail=email,Name, full=name', 'X=age'],
    ],
    [
      'first and last names, of which names are made',
      'First Name,Last Name\nAnn,Lee\nCher,\n',
      [
        { firstName: 'Ann', lastName: 'Lee', name: 'Ann Lee' },
        { firstName: 'Cher', name: 'Cher' },
      ],
    ],
    [
      'a null as a name, in JSON',
      '{"given":"Bo","lastName":"Lee","name":null}',
      [{ firstName: 'Bo', lastName: 'Lee', name: 'Bo Lee' }],
      ['given=firstName'],
    ],
  ])('may have %s', async (_, content, users, map) => {
    expect((await read(content, 3, map)).users).toEqual(users);
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

  test('with a broken line loses that line', async () => {
    const { entries } = await read('name,age\nA,1\nE"e,5\nF,6,7\nG\n"H, h",8\nI"i"",8\nJ,9\n', 4);
    const noCsv = 'The line is not CSV: a quote is missing, or there is one too many';
    expect(entries.map(({ line, user, flaw }) => [line, flaw ?? user])).toEqual([
      [2, { name: 'A', age: 1 }],
      [3, noCsv],
      [4, 'The line has 3 cells, and the first row 2'],
      [5, 'The line has 1 cell, and the first row 2'],
      [6, { name: 'H, h', age: 8 }],
      [7, noCsv],
      [8, { name: 'J', age: 9 }],
    ]);
  });

  test.each([
    '"4"x',
    '"said "hi" to\nEve,9\nthem"',
    '"a "b\nEve,9\nc" d"',
    '"line1\nEve,9\nlast" x\nIda,"z"',
    '"said \\"hi\\" to\nEve,9\nthem"',
    '"said \\"hi\nEve,9\nthem\\" to\n"',
    '"said \\"\nEve,9\n"',
    '"x""\nEve,9\n""y" z"',
    '"I "D""\nEve,9\n"",y" z"',
  ])('makes no user of the inside of a wrongly quoted cell: %j', async (cell) => {
    await expect(read(`name,note\nAl,\nBob,${cell}\nZoe,"z"\n`)).rejects.toThrow(
      'A quote in line 3 is wrong, and what is behind it may be inside a cell: no line from there on is read. Correct line 3',
    );
  });

  test('has no users in quoted cells: a record of several lines is one user, or one refused record', async () => {
    const inside = 'x\nEve,9\n';
    const content = `name,note\n"Ann","1","${inside}y"\n"Ben${inside}"\nCy,"${inside.repeat(40_000)}"\nDi," ""\n,"",z"\n`;
    const { entries } = await read(content);
    expect(entries.map(({ line, user, flaw }) => [line, flaw ?? user])).toEqual([
      [2, 'The line has 3 cells, and the first row 2'],
      [5, 'The line has 1 cell, and the first row 2'],
      [8, { name: 'Cy' }],
      [80_009, { name: 'Di' }],
    ]);
    const [refused = ''] = entries.map((entry) => entry.origin[2]);
    expect(refused).toBe(`${inside}y`);
    const endless = read(`name,note\nAnn,1\nBob,"${inside.repeat(600_000)}"\n`);
    await expect(endless).rejects.toThrow('A quote in line 3 is wrong, and what is behind it may be inside a cell');
  });

  test.each<[string, string, string?]>([
    ['Total: 1,\n', 'The line is a total, and not a user'],
    ['Total,1\n', 'The line is a total, and not a user'],
    ['(1 row)\n', 'The line is a total, and not a user'],
    ['name,age\n', 'The line repeats the first row'],
    ['Bob,NULL\n', 'age is NULL: say --null NULL if that is no value, or --null "" if it is a text'],
    ['\\N,1\n', 'name is \\N: say --null \\N if that is no value, or --null "" if it is a text'],
  ])('behind its users may have %j, which is no user', async (row, flaw) => {
    expect((await read(`name,age\nTotal Eclipse,1\n${row}`)).users).toEqual([{ name: 'Total Eclipse', age: 1 }, flaw]);
  });

  test('has no value where --null says so, and a text where it does not', async () => {
    const readWith = async (nothing: string) =>
      (await read('name,age,firstName\nNULL,NULL,""\nBo,,NULL\n', 9, [], { nothing })).users;
    expect(await readWith('NULL')).toEqual([{ firstName: '' }, { name: 'Bo' }]);
    expect(await readWith('')).toEqual([
      { name: 'NULL', age: 'NULL', firstName: '' },
      { name: 'Bo', firstName: 'NULL' },
    ]);
  });

  test.each([
    ['with an exponent', ['1.79E+15', '1790000000000001']],
    ['with a comma in it', ['2,3e+15']],
    ['ending in 0, at the end of a file', ['1790000000000010', '1790000000000000']],
    ['ending in 0, many of them', [...Array(101).fill('1790000000000010'), '1790000000000001']],
  ])('must not have ids that a spreadsheet has rounded: %s', async (_, ids) => {
    const readIds = async (written: string[], keepsIds = true) => {
      const rows = written.map((id) => `${id};Ann\n`);
      const { entries } = await read(`id;name\n${rows.join('')}`, 65_536, [], { keepsIds });
      return entries.map(({ id }) => id);
    };
    await expect(readIds(['7', ...ids])).rejects.toThrow('A spreadsheet has rounded the ids of f: it keeps 15 digits');
    expect(await readIds(ids, false)).toHaveLength(ids.length);
    const exact = await readIds(['7', '1790000000000010', '890301895272550', '1790000000000001', '1790000000000020']);
    expect(exact).toEqual([
      7, 890_301_895_272_550, 1_790_000_000_000_001, 1_790_000_000_000_010, 1_790_000_000_000_020,
    ]);
  });

  test('is not kept in memory for an unclosed quote or an endless line', async () => {
    const unclosed = read(`name,age\n"A,1\nx,1\n`);
    await expect(unclosed).rejects.toThrow('A quote in line 2 is wrong, and what is behind it may be inside a cell');
    const stray = await read(`name,age\n5" x,1\n${`${'y'.repeat(1_000_000)}\n`.repeat(5)}B,2\n`);
    expect([stray.entries.length, stray.users.at(-1)]).toEqual([7, { name: 'B', age: 2 }]);
    await expect(read(`name\n${'y'.repeat(4_300_000)}`)).rejects.toThrow('A line is longer than 4194304 characters');
  });

  test.each([
    ['\n', [], 'f is empty'],
    ['Exported today\n\nname,age\nAnn,1\n', [], 'seems to be a user, or a note. Put such a row before it'],
    ['ann@a.example,Mail,aGFzaA==\n', [], 'f must name the columns, and seems to be a user, or a note. Put such a row'],
    ['Mail,$2b$10$abc\n', [], 'seems to be a user, or a note. Put such a row before it (name,email)'],
    ['Ann Lee,,\nBob,b@a.example,\n', [], 'seems to be a user, or a note. Put such a row before it (name,email)'],
    ['Ann Lee,pass\n', [], 'seems to be a user, or a note. Put such a row before it (name,email)'],
    [
      'Login,Mail\n',
      [],
      'Its columns: "Login", "Mail".\nIf one of them has it, say so: --map "Mail=email,…=name", or first and last names: --map "…=firstName,…=lastName"',
    ],
    ['Vorname;Nachname;Email\n', [], 'say so: --map "Vorname=firstName,Nachname=lastName"'],
    [
      'Login,Mail,Town\nann,,Bonn\nbob,,Rome\n',
      [],
      'If "Login", "Town" has it, say so: --map "…=name", or first and last names',
    ],
    ['name,,age\nAnn,a@a.example,\n', [], 'Column 2 of f has addresses, and no name in the first row'],
    ['firstName,age\n', [], 'f has no column for the name of a user'],
    ['name,age,name\n', [], 'f has two columns for name: "name", "name". Rename one'],
    ['name,Email,E-Mail\n', [], 'f has two columns for email: "Email", "E-Mail". Choose one: --map "E-Mail=email"'],
    ['name\n', ['Mail=email'], 'f has no column "Mail". Its columns: "name"'],
    ['name\n', ['Mail=mail'], '--map: there is no field mail, but id, name, email'],
    ['name\n', ['Mail'], '--map Mail must be "<column of the file>=<field>"'],
    ['{"login":"ann"}\n', [], 'Its columns: "login".\nIf another one has it, say so: --map "login=name"'],
  ])('must not be %j with --map %j', async (content, map, message) => {
    await expect(read(content, 65_536, map)).rejects.toThrow(message);
  });

  test.each([
    ['Nombre,Apellidos,Correo\nAna,Diaz,ana@a.example\n', 'Nombre=firstName,Apellidos=lastName,Correo=email'],
    ['Nom,Prénom,Courriel\nDurand,Zoé,z@a.example\n', 'Nom=lastName,Prénom=firstName,Courriel=email'],
    ['Nom complet;Ville\nZoé Durand;Lyon\n', 'Nom complet=name'],
    ['Naam;Voornaam\nVisser;Jan\n', 'Naam=lastName,Voornaam=firstName'],
    ['Nome;Cognome\nMia;Rossi\n', 'Nome=firstName,Cognome=lastName'],
    ['Imię;Nazwisko\nJan;Nowak\n', 'Imię=firstName,Nazwisko=lastName'],
    ['Imię i nazwisko;Miasto\nJan Nowak;Gdynia\n', 'Imię i nazwisko=name'],
    ['uid,mail,cn,givenName,sn\n1,x@a.example,Xa Ya,Xa,Ya\n', 'mail=email,cn=name,givenName=firstName,sn=lastName'],
    ['First,Last\nAnn,Lee\n', 'First=firstName,Last=lastName'],
    ['fname,L_Name,E-Mail Address\nAnn,Lee,a@a.example\n', 'fname=firstName,L_Name=lastName,E-Mail Address=email'],
    ['Given,Family\nAnn,Lee\n', 'Given=firstName,Family=lastName'],
    ['Όνομα;Ταχυδρομείο\nΆννα;a@a.example\n', 'Ταχυδρομείο=email,Όνομα=name'],
  ])('in another language names its columns, and is told what they may be: %j', async (content, map) => {
    await expect(read(content)).rejects.toThrow(`say so: --map "${map}"`);
    expect((await read(content, 65_536, [map])).users[0]).toMatchObject({ name: expect.any(String) });
  });

  test.each([
    'id,created,mail\n17,2024-05-01,a@a.example\n',
    'ref,since,link,mail\nE-17,1 May 2024,/users/x,a@a.example\n',
    'hash,note,state,mail\naGFzaA==,{x},true,a@a.example\n',
    'role,mail\nadmin,a@a.example\nadmin,b@a.example\nadmin,\n',
    'key,mail,is_guest,kind\nk1,a@a.example,f,member\nk2,,t,member\n',
    'mail,Name public\na@a.example,yes\nb@a.example,no\n',
    'mail,Real name shown,on duty\na@a.example,0,Y\nb@a.example,1,N\nc@a.example,0,Y\n',
    'mail,names,groups\na@a.example,"[""Ann""]",staff;hr\nb@a.example,"{""n"":""Bo""}",hr;it\n',
    'mail,teams,roles\na@a.example,"a,b,c",{admin}\nb@a.example,"b,c,d",{}\n',
    '{"full_name":{"given":"Ann"},"mail":"a@a.example","verified_name":false,"names":["Ann"]}\n',
    '{"_id":"6551b2c4","profile":{"n":"Ann"},"roles":["a"],"mail":"a@a.example"}\n',
  ])('has no column for the name if no values could be names, and none is advised: %j', async (content) => {
    await expect(read(content)).rejects.toThrow(
      'If one of them has it, say so: --map "mail=email,…=name", or first and last names: --map "…=firstName,…=lastName"',
    );
  });

  const MAX = { firstName: 'Max', lastName: 'Muster', name: 'Max Muster' };

  test.each<[string, string, string, object]>([
    ['Name;Vorname\nMuster;Max\n', 'Name=lastName,Vorname=firstName', '--map "Name=name" --ignore "Vorname"', MAX],
    ['Name,First,Email\nMuster,Max,\n', 'Name=lastName,First=firstName', '--map "Name=name" --ignore "First"', MAX],
    ['name,Last\nMax,Muster\n', 'name=firstName,Last=lastName', '--map "name=name" --ignore "Last"', MAX],
    [
      'Name,First,Last\nMM,Max,Muster\n',
      'First=firstName,Last=lastName',
      '--ignore "First" --ignore "Last"',
      { ...MAX, name: 'MM' },
    ],
    ['name,Surname\nMax,Muster\n', 'name=firstName,Surname=lastName', '--map "name=name" --ignore "Surname"', MAX],
    [
      '{"name":"Muster","prénom":"Max"}\n',
      'name=lastName,prénom=firstName',
      '--map "name=name" --ignore "prénom"',
      MAX,
    ],
    [
      'name,Vorname\n"Muster, Max",Max\nLi Po,Li\n',
      'Vorname=firstName',
      '--ignore "Vorname"',
      { name: 'Muster, Max', firstName: 'Max' },
    ],
    ['name,Vorname,lastName\nMM,Max,Muster\n', 'Vorname=firstName', '--ignore "Vorname"', { ...MAX, name: 'MM' }],
  ])('must not have a part of a name beside a name: %j', async (content, map, otherwise, user) => {
    await expect(read(content)).rejects.toThrow(`say so: --map "${map}"\nIf not: ${otherwise}`);
    expect((await read(content, 65_536, [map])).users[0]).toEqual(user);
  });

  const LOGIN = 'name,Login,Is mail\nAnn,a@a.example,true\nBob,,false\nCy,c@a.example,true\n';

  test.each([
    ['name,user_email\nAnn,a@a.example\n', 'user_email=email'],
    [`name,E-Mail 1\n${'Ann,\n'.repeat(1_000)}Bob,b@a.example\n`, 'E-Mail 1=email'],
    ['firstName,Surname,Email,Email Address\nAnn,Lee,,a@a.example\n', 'Surname=lastName,Email Address=email'],
    [LOGIN, 'Login=email'],
    ['user_login,user_email,display_name\nann,a@a.example,Ann\n', 'user_email=email,display_name=name'],
    ['name,Status [READ ONLY],age (years)\nAnn,Active,7\n', 'Status [READ ONLY]=status,age (years)=age'],
    [
      'Name [displayName] Required,User name [userPrincipalName] Required,Last name [surname]\nAnn,a@a.example,Lee\n',
      'Name [displayName] Required=name,User name [userPrincipalName] Required=email,Last name [surname]=lastName',
    ],
    ['{"name":"Ann","given_name":"Ann","x":{},"email_verified":true}\n', 'given_name=firstName'],
  ])('must not have a field under another name: %j', async (content, map) => {
    await expect(read(content)).rejects.toThrow(`say so: --map "${map}"`);
    expect((await read(content, 65_536, [map])).users[0]).toMatchObject({ name: /Ann/ });
  });

  test.each([
    'name,First seen,Last login\nAnn,2026-01-01,2026-02-01\n',
    'name,email_verified,name_public,age_checked\nAnn,t,no,1\nBob,f,yes,0\n',
    '{"name":"Ann","name_parts":{"first":"Ann"},"status_flags":["a"]}\n',
  ])('may have columns with words of fields that are none: %j', async (content) => {
    expect((await read(content)).users[0]).toEqual({ name: 'Ann' });
  });

  test.each([
    ['{"name":"Ann","contact":[{"mail":"a@a.example"}]}\n{"name":"Bo"}\n', 'contact'],
    ['{"name":"Ann","email":null,"x":{"y":{"z":["a@a.example"]}}}\n', 'x'],
    ['name,e-mails\nAnn,"[""a@a.example""]"\n', 'e-mails'],
  ])('has addresses in objects or lists only if that is known: %j', async (content, column) => {
    const message = `f has addresses in objects or lists of "${column}", and users have no other e-mail`;
    await expect(read(content)).rejects.toThrow(message);
    const ignoring = { map: [{ from: column, to: undefined }] };
    expect((await read(content, 9, [], ignoring)).users[0]).toMatchObject({ name: 'Ann' });
    if (content.startsWith('name') || spawnSync(JQ, ['--version']).status !== 0) return;
    const [, filter = ''] = /jq -c '(.*)' users/.exec(String(await read(content).catch((error) => error))) ?? [];
    const made = spawnSync(JQ, ['-c', filter], { input: content, encoding: 'utf8' });
    expect((await read(made.stdout)).users[0]).toMatchObject({ name: 'Ann', email: 'a@a.example' });
  });

  test.each([
    [
      'login;firstName;lastName;name;mail\nal;Ann;Lee;;\nbo;;;;\n;;;;c@a.example\ndi;;;Diana;\n;;;;\nNULL;;;;\n',
      ['Ann Lee', 'bo', 'c@a.example', 'Diana', undefined],
    ],
    [
      '{"login":"al","firstName":"Ann","lastName":"Lee"}\n{"Login":"bo","firstName":"","name":" "}\n{"login":"","mail":"c@a.example"}\n{"login":{},"mail":"d@a.example"}\n{"login":17}\n{"firstName":null}\n',
      ['Ann Lee', 'bo', 'c@a.example', 'd@a.example', '17', undefined],
    ],
  ])('may name users who have no name by other columns, in their order: %j', async (content, names) => {
    const { users } = await read(content, 9, ['mail=email'], { nameFrom: ['login', 'mail'] });
    expect(users.map((user) => Object(user).name)).toEqual(names);
  });

  test('may have no other name than that of a fallback, which must be there', async () => {
    const { users, said } = await read('login,x\nal,1\n', 9, [], { nameFrom: ['login'] });
    expect([users, said]).toEqual([[{ name: 'al' }], ['Ignored columns: "x"']]);
    for (const content of ['name,x\nAnn,1\n', '{"name":"Ann","x":1}\n'])
      await expect(read(content, 9, [], { nameFrom: ['logn'] })).rejects.toThrow(
        'f has no column "logn". Its columns: "name", "x"',
      );
    await expect(read('{"name":"Ann","Mail":"a@a.example"}\n', 9, ['Mial=email'])).rejects.toThrow(
      'f has no column "Mial"',
    );
    const long = '{"name":"Ann"}\n'.repeat(1_100);
    expect((await read(long, 65_536, ['Mial=email'])).said).toEqual(['None of the first lines has "Mial"']);
  });

  test('may have columns that only seem to be fields, if they are ignored or the field has another column', async () => {
    const ignoring = { map: [{ from: 'login', to: undefined }] };
    expect((await read(LOGIN, 65_536, [], ignoring)).users[0]).toEqual({ name: 'Ann' });
    const okta = 'login,firstName,lastName,email,displayName,Country (ISO),\na@a.example,Ann,Lee,a@a.example,Al,,\n';
    expect((await read(okta)).said).toEqual(['Ignored columns: "login", "displayName", "Country (ISO)"']);
    expect((await read('_id,id,name\nx,2,Ann\n')).users).toEqual([{ name: 'Ann' }]);
    const kept = read('_id,id,name\nx,2,Ann\n', 65_536, [], { keepsIds: true });
    await expect(kept).rejects.toThrow('f has two columns for id: "_id", "id". Choose one: --map "id=id"');
  });

  test('of the service is restored exactly', async () => {
    // Texts in the service have no control characters.
    const unit = fc.oneof(anyText(2), fc.constantFrom('"', "'", '=', ',', '\u2028'));
    const text = fc
      .array(unit, { maxLength: 4 })
      .map((units) => units.join(''))
      .filter((value) => value.isWellFormed() && !/\p{Cc}/u.test(value));
    // Only a text may be empty.
    const exact = text.filter((value) => value !== '');
    const values = { text, address: fc.emailAddress(), exact, number: fc.nat() };
    const fields: Record<string, fc.Arbitrary<unknown>> = {
      ...Object.fromEntries(PLAIN_FIELDS.map((name) => [name, values[KINDS[name]]])),
      attributes,
    };
    const user = fc.record(fields, { requiredKeys: ['name'] });
    await fc.assert(
      fc.asyncProperty(fc.array(user, { maxLength: 4 }), fc.integer({ min: 1, max: 9 }), async (users, size) => {
        const shown = users.map((fields, index) => represent({ ...(fields as UserFields), id: index + 1 }));
        const csv = written(formOf('text/csv', { members: undefined }), shown);
        const found = (await read(csv, size)).users;
        expect(found.map((user) => pickFields(Object(user)))).toEqual(users.map((fields) => pickFields(fields)));
      }),
      { numRuns: 200 },
    );
  });

  test('that is refused can be corrected and read again', async () => {
    const { source, entries } = await read('age;name;note\n-5;"A;a";"x\ny"\nB"x;1\n');
    const refused = refusedBy(source, entries, 'No; "way"');
    expect(refused).toBe(
      'line;message;age;name;note\r\n2;"No; ""way""";-5;"A;a";"x\ny"\r\n4;"No; ""way""";"B""x;1"\r\n',
    );
    const again = await read(refused.replace('-5', '5'));
    expect(again.users[0]).toEqual({ age: 5, name: 'A;a' });
    expect(again.said).toEqual(['Ignored columns: "note"']);
    expect(refusedBy(again.source, again.entries, 'No').split('\r\n').slice(0, 2)).toEqual([
      'line;message;age;name;note',
      '2;No;5;"A;a";"x\ny"',
    ]);
  });

  test.each([
    ['UTF-8', Buffer.from('\uFEFFname;age\nJörg;x\n')],
    ['UTF-16', Buffer.from('\uFEFFname;age\nJörg;x\n', 'utf16le')],
  ])('in %s with a byte order mark has it when it is refused, too', async (_, content) => {
    const { source, entries } = await read(content, 2);
    const refused = refusedBy(source, entries, 'No');
    expect(refused).toBe('\uFEFFline;message;name;age\r\n2;No;Jörg;x\r\n');
    expect((await read(refused)).users).toEqual([{ name: 'Jörg', age: 'x' }]);
  });

  test.each(['name,lastName,firstName\nAnn,"",\n', '"name","lastName"\n"Ann",""\n'])(
    'that is refused keeps empty texts, and what has no value: %j',
    async (content) => {
      const { source, entries, users } = await read(content);
      expect((await read(refusedBy(source, entries, 'No'))).users).toEqual(users);
    },
  );
});

describe('attributes', () => {
  const attributesIn = async (content: string, more: Partial<SourceOptions> = {}, map: readonly string[] = []) => {
    const { users, said } = await read(content, 65_536, map, { takesOthers: true, ...more });
    return { said, found: users.map((user) => (typeof user === 'string' ? user : user?.attributes)) };
  };

  test('are the columns that are no field, by names without accents and blanks', async () => {
    const content = 'id,name,createdAt,Größe (cm),Cost-Centre,constructor,attributes.toString\n7,Ann,2026,007,,x,y\n';
    const { found, said } = await attributesIn(content);
    expect(found).toEqual([{ Gro_e_cm: '007', 'Cost-Centre': null, constructor: 'x', toString: 'y' }]);
    expect(said).toEqual([
      'Columns that are attributes: "Größe (cm)=attributes.Gro_e_cm", "Cost-Centre=attributes.Cost-Centre", "constructor=attributes.constructor"',
      'Ignored columns: "id", "createdAt"',
    ]);
    expect((await attributesIn('line,message,name,x\n2,No,Ann,1\n')).found).toEqual([{ x: '1' }]);
    expect((await attributesIn('name,x,attributes.y\nAnn,1,2\n', { takesOthers: false })).found).toEqual([{ y: '2' }]);
  });

  test.each([
    [
      'text',
      false,
      ['1', '-1.50', '007', '12345678901234567890', '0.12345678901234567891', 'TRUE', '["a"]', 'x', null],
    ],
    ['typed', true, [1, -1.5, '007', '12345678901234567890', '0.12345678901234567891', true, ['a'], 'x', null]],
  ])('have the values of cells as %s', async (_, isTyped, values) => {
    const cells = '1,-1.50,007,12345678901234567890,0.12345678901234567891,TRUE,"[""a""]",x,';
    const names = [...'abcdefghi'];
    const { found } = await attributesIn(`name,${names}\nAnn,${cells}\n`, { isTyped });
    expect(found).toEqual([Object.fromEntries(names.map((name, index) => [name, values[index]]))]);
  });

  const typedIn = async (cells: readonly string[], more: Partial<SourceOptions> = {}) => {
    const quoted = cells.map((cell) => (cell === '' ? '' : `"${cell.replaceAll('"', '""')}"`));
    const content = ['name;x', ...quoted.map((cell) => `Ann;${cell}`)].join('\n');
    const { found, said } = await attributesIn(content, { isTyped: true, ...more });
    return { values: found.map((attributes) => Object(attributes).x), said: said.slice(1) };
  };
  test.each<[string[], unknown[]]>([
    [
      ['10115', '80331'],
      [10_115, 80_331],
    ],
    [
      ['+49', '007'],
      ['+49', '007'],
    ],
    [
      ['52.520006599999997', '', '-1'],
      [52.520006599999995, null, -1],
    ],
    [
      ['1.5e-05', '-2E-3', '1e-7', '3'],
      [0.000015, -0.002, 1e-7, 3],
    ],
    [
      ['true', 'FALSE', ''],
      [true, false, null],
    ],
    [
      ['["a"]', '[]'],
      [['a'], []],
    ],
    [
      ['1', "'-2"],
      [1, -2],
    ],
    [
      ['12E5', '1E10'],
      ['12E5', '1E10'],
    ],
  ])('that are typed have one kind in a column: %j', async (cells, values) => {
    expect(await typedIn(cells)).toEqual({ values, said: [] });
  });

  test.each<[string[], string]>([
    [['10115', '01067', '80331'], '2 numbers, 1 text (line 3: "01067")'],
    [['1', '2', 'n/a'], '2 numbers, 1 text (line 4: "n/a")'],
    [['TRUE', 'yes', 'no', 'false', 'true'], '3 booleans, 2 texts (line 3: "yes", line 4: "no")'],
    [['1', '0', 'TRUE'], '2 numbers, 1 boolean (line 4: "TRUE")'],
    [['["a"]', '[]', 'a', '3'], '2 lists, 1 text (line 4: "a"), 1 number (line 5: "3")'],
    [['1', '2', '12345678901234567890'], '2 numbers, 1 text (line 4: "12345678901234567890")'],
    [['1', '2', '1.5E+10'], '2 numbers, 1 text (line 4: "1.5E+10")'],
    [
      ['a', 'b', 'c', 'd', '1', '2', '3', '4', '5', 'e', 'f'],
      '6 texts, 5 numbers (line 6: "1", line 7: "2", line 8: "3", …)',
    ],
  ])(
    'that are typed stop with the cells of another kind, unless the column is said to be text: %j',
    async (cells, kinds) => {
      await expect(typedIn(cells)).rejects.toThrow(`"attributes.x" has ${kinds}\nCorrect these cells, say --null`);
      expect((await typedIn(cells, { texts: ['attributes.x'] })).values).toEqual(cells);
      await expect(typedIn(cells, { texts: ['attributes.y'] })).rejects.toThrow(
        'f has no column for "attributes.y", which --text names',
      );
    },
  );

  test.each<[string, string[], boolean, unknown, string | undefined]>([
    ['numbers for numbers', ['1'], true, 2, undefined],
    ['texts for a number', ['n/a'], true, 2, 'has texts in the file (line 2: "n/a"), and numbers in the service'],
    ['numbers for a boolean', ['1'], true, true, 'has numbers in the file (line 2: "1"), and booleans in the service'],
    ['texts for a list', ['a'], true, ['a'], 'and lists in the service (externalId "k": "[\\"a\\"]")'],
    ['numbers for a text', ['1'], true, 'n/a', undefined],
    [
      'numbers beside a text of somebody else',
      ['1'],
      false,
      '007',
      'and texts in the service (externalId "k": "\\"007\\"")',
    ],
    ['numbers beside a text that reads as one', ['1'], false, '7', undefined],
    ['texts beside a number of somebody else', ['x'], false, 7, 'and numbers in the service'],
    ['texts beside a text that reads as a number', ['x'], false, '7', undefined],
  ])('that are typed are compared with what is stored: %s', async (_, cells, isInFile, value, reason) => {
    const kinds = createKinds();
    await typedIn(cells, { kinds });
    kinds.settle();
    const others = { externalId: 'o', attributes: new Map([['toString', 1]]), isInFile: true };
    const compare = () => kinds.compare([others, { externalId: 'k', attributes: new Map([['x', value]]), isInFile }]);
    if (reason === undefined) compare();
    else expect(compare).toThrow(reason);
  });

  test('that are typed are not decided by lines that are refused, nor by cells without a value', async () => {
    const content = 'name;x;n\nAnn;1;2\nBob;NULL;3\nCy;4;5;6\nTotal: 7;;\n';
    expect((await attributesIn(content, { isTyped: true })).found).toEqual([
      { x: 1, n: 2 },
      'attributes.x is NULL: say --null NULL if that is no value, or --null "" if it is a text',
      'The line has 4 cells, and the first row 3',
      'The line is a total, and not a user',
    ]);
    expect((await typedIn(['1', 'NULL'], { nothing: 'NULL' })).values).toEqual([1, undefined]);
  });

  test('that are typed have the kinds of the first rows, and a later cell of another kind is refused', async () => {
    const { values, said } = await typedIn([...Array(1_000).fill('1'), '2', '007']);
    expect([values.slice(-2), said]).toEqual([[2, undefined], []]);
    const { found } = await attributesIn(`name;x\n${'Ann;1\n'.repeat(1_000)}Bob;007\n`, { isTyped: true });
    expect(found.at(-1)).toBe(
      'attributes.x is not one of the numbers of the first rows: correct it, or say --text "attributes.x"',
    );
    const kinds = createKinds();
    await typedIn(['1', '2', ...Array(1_000).fill('1'), '007'], { kinds });
    expect(() => kinds.settle()).toThrow('"attributes.x" has 1,002 numbers, 1 text (line 1004: "007")');
  });

  test('are read from a column or a member that has all of them, and their own column wins', async () => {
    const json = '"{""a"":1,""b"":[""x""],""c"":true}"';
    const content = `name,attributes,attributes.a\nAnn,${json},2\nBob,,\nCy,{,3\n`;
    expect((await attributesIn(content)).found).toEqual([{ a: '2', b: ['x'], c: true }, { a: null }, '{']);
    expect((await attributesIn('name,attributes\nBob,\nCy,{\n')).found).toEqual([{}, '{']);
    const line = '{"name":"Ann","attributes":{"a":[],"toString":null},"b":false,"__proto__":1}\n';
    expect((await attributesIn(line)).found).toEqual([{ a: [], toString: null, b: false, proto: 1 }]);
    expect((await attributesIn(line, { takesOthers: false })).found).toEqual([{ a: [], toString: null }]);
  });

  test.each([
    [
      'name,部署\n',
      [],
      'The column "部署" gives no name of an attribute: say --map "部署=attributes.…", or --ignore "部署"',
    ],
    [
      'name,a b,a_b\n',
      [],
      'f has two columns for attributes.a_b: "a b", "a_b". Choose one: --map "a_b=attributes.a_b"',
    ],
    [
      'name,user_email\nAnn,a@a.example\n',
      [],
      'say so: --map "user_email=email"\nIf not: --map "user_email=attributes.user_email"',
    ],
    ['name,x\n', ['x=attributes.1'], '--map: there is no field attributes.1, but id, name, '],
  ])('must have other names than %j', async (content, map, message) => {
    await expect(attributesIn(content, {}, map)).rejects.toThrow(message);
  });

  test('of the service in columns of their own are what they were, if they are typed', async () => {
    const given = { constructor: ['=a', 'b;"'], length: -0.5, valueOf: false, toString: '=1;+2' };
    const user = { id: 1, name: 'Ann', attributes: given };
    const members = ['id', 'name', ...Object.keys(given).map((name) => `attributes.${name}` as const)] as const;
    const csv = written(formOf('text/csv', { members }), [represent(user)]);
    const { found } = await attributesIn(csv, { takesOthers: false, isTyped: true });
    expect(found).toEqual([given]);
  });

  test('may have names that --map gives', async () => {
    const { found } = await attributesIn('name,部署,user_email\nAnn,A,a@a.example\n', {}, [
      '部署=attributes.team,user_email=attributes.user_email',
    ]);
    expect(found).toEqual([{ team: 'A', user_email: 'a@a.example' }]);
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
    expect(said).toEqual(['Ignored columns: "id", "extra"']);
  });

  test('that is refused keeps its content', async () => {
    const { source, entries } = await read('{"age":-1,"name":"A"}\n{"x\n');
    expect(refusedBy(source, entries, 'No')).toBe(
      '{"line":1,"message":"No","age":-1,"name":"A"}\n{"line":2,"message":"No","text":"{\\"x"}\n',
    );
  });

  test('that is refused again keeps its numbers, has one reason, and may be nested deep', async () => {
    const deep = `{"name":"A","x":${'['.repeat(100_000)}${']'.repeat(100_000)}}`;
    const { source, entries } = await read(
      `{"line":7,"message":"Old \\"}","age":1e400}\n{}\n{ "name": 1.50 }\n${deep}\n`,
    );
    expect(entries.map((entry) => source.refusedLine(entry, 'No'))).toEqual([
      '{"line":1,"message":"No","age":1e400}\n',
      '{"line":2,"message":"No"}\n',
      '{"line":3,"message":"No", "name": 1.50 }\n',
      `{"line":4,"message":"No",${deep.slice(1)}\n`,
    ]);
  });
});

describe('a file', () => {
  /** The beginning of a zip archive: its signature, flags, and a size. */
  const workbook = Buffer.from('504b030414000600080000002100b2', 'hex');

  test.each([
    ['Latin-1', 3, Buffer.from('name\nAnn\nJörg\n', 'latin1')],
    ['of two encodings', 4, Buffer.concat([Buffer.from('name\nJörg\n€\n'), Buffer.from('Jörg\nAnn\n', 'latin1')])],
    ['of an old Mac', 2, Buffer.from('name\rZo\x91\r', 'latin1')],
    ['gzip', 1, gzipSync('name\nAnn\n')],
    ['text whose last character is cut off', 2, Buffer.from('name\nAn\xe2\x82', 'latin1')],
  ])('that is %s is refused, with its line %d, instead of a guess', async (_, line, content) => {
    const message = `Line ${line} of f is no text in UTF-8, and a guess would import wrong names`;
    await expect(countLines(textOf(pieces(content, 65_536), 'f'))).rejects.toThrow(message);
    await expect(lines(content)).rejects.toThrow(message);
    await expect(read(content, 3).then(({ entries }) => entries)).rejects.toThrow(message);
  });

  test('that is a workbook is called so', async () => {
    await expect(read(workbook, 3)).rejects.toThrow(
      'Line 1 of f is a workbook, or another archive, and no text. Save it',
    );
  });

  const ANN = '{"name":"Ann"}';
  const BOB = '{"name":"Bob"}';

  test.each([
    ['an array', `[${ANN},${BOB}]`],
    ['a list of users', `{"name":"Acme","users":[${ANN},${BOB}]}`],
    ['a list over lines', `{"users": [\n${ANN},\n${BOB}\n]}\n`],
    [
      'a list among others',
      JSON.stringify({ a: [{ b: 1 }], 'x-y': { list: [{ name: 'Ann' }, { name: 'Bob' }] } }, null, 2),
    ],
    ['a page', `{"content":[${ANN},${BOB}],"totalElements":2}`],
    ['a list of users with more roles', '{"results":[{"name":"Ann","roles":[{"name":"x"},{},{}]},{"name":"Bob"}]}'],
    ['an array of users with more roles', '[{"name":"Ann","roles":[{"name":"x"},{},{}]},{"name":"Bob"}]'],
    ['a list deep inside', '{"data":{"x y":{"items":[{"name":"Ann","tags":[{"name":"x"}]},{"name":"Bob"}]}}}'],
    ['a list beside links', '{"items":[{"name":"Ann","login":"a@a.example"},{"name":"Bob"}],"links":[{},{},{}]}'],
    [
      'users with roles, one after another',
      '{"name":"Ann",\n"mail":"a@a.example",\n"roles":[{"name":"x"}]}\n{"name":"Bob"}',
    ],
    ['pages one after another', `{"items":[\n${ANN}],\n"n":"]}"}\n{"items":[${BOB}]}`],
    ['objects over lines', '{\n  "name": "Ann"\n}\n{\n  "name": "Bob"\n}\n'],
    ['objects on one line', `${ANN}${BOB}`],
  ])('that is a JSON document, %s, is refused with the command of jq that makes lines of it', async (_, content) => {
    const failure: unknown = await read(content).catch((error) => error);
    const [, command = ''] = String(failure).split('this makes one object per line of it:\n');
    expect(command).toMatch(/^jq /);
    const folder = folderForTest();
    writeFileSync(join(folder, 'users.json'), content);
    const isThere = ([program = '', ...options]: string[]) => spawnSync(program, options).status === 0;
    if (
      ![
        ['jq', '--version'],
        ['sh', '-c', ':'],
      ].every(isThere)
    )
      return;
    expect(spawnSync('sh', ['-c', command], { cwd: folder, encoding: 'utf8' }).stderr).toBe('');
    const ignoring = { map: ['login', 'mail'].map((from) => ({ from, to: undefined })) };
    const { users } = await read(readFileSync(join(folder, 'users.ndjson')), 9, [], ignoring);
    expect(users).toEqual([{ name: 'Ann' }, { name: 'Bob' }]);
  });

  test.each([
    [
      '{"name":"Ann","roles":[{"id":1,"name":"admin"}]}',
      '  .  1 with "name", "roles"\n  .roles[]  1 with "id", "name"\n',
    ],
    [
      '{"staff":[{"name":"Ann"}],"x-y":[{"name":"Bob"},{"name":"Cy"}]}',
      '  .staff[]  1 with "name"\n  .["x-y"][]  2 with "name"\n',
    ],
  ])('that is a JSON document is asked where its users are, if that is not sure: %j', async (content, places) => {
    await expect(read(content)).rejects.toThrow(
      `users may be in several places. Put theirs between the quotes:\n${places}jq -c '…' users.json > users.ndjson`,
    );
  });

  test('of one user with roles is no document, if the user has an address, or the roles are ignored', async () => {
    const ann = '{"name":"Ann","email":"a@a.example","roles":[{"name":"admin"}]}';
    expect((await read(ann)).users).toEqual([{ name: 'Ann', email: 'a@a.example' }]);
    const ignoring = { map: [{ from: 'roles', to: undefined }] };
    expect((await read('{"name":"Ann","roles":[{"name":"admin"}]}', 9, [], ignoring)).users).toEqual([{ name: 'Ann' }]);
  });

  test('that is a document on one line too long to be looked into is told the list that is nearest to the root', async () => {
    const long = `{"data":[{"name":"Ann","roles":[{"name":"x"},{}]},{"name":"Bob"}],"x":"${'y'.repeat(4_300_000)}"}`;
    const failure: unknown = await countLines(textOf(pieces(Buffer.from(long), 65_536), 'f')).catch((error) => error);
    const [, command = ''] = String(failure).split('this makes one object per line of it:\n');
    const folder = folderForTest();
    writeFileSync(join(folder, 'users.json'), long);
    if (spawnSync(JQ, ['--version']).status !== 0) return;
    expect(spawnSync('sh', ['-c', command], { cwd: folder, encoding: 'utf8' }).stderr).toBe('');
    expect((await read(readFileSync(join(folder, 'users.ndjson')))).users).toEqual([{ name: 'Ann' }, { name: 'Bob' }]);
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

test.each([['name,age\nAnn,9007199254740991.4\n'], ['{"name":"Ann","age":9007199254740991.4}\n']])(
  'a number that would be rounded is no age: %j',
  async (content) => {
    expect((await read(content)).users).toEqual([{ name: 'Ann', age: Number.NaN }]);
  },
);
