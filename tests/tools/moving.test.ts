import { existsSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { platform } from 'node:os';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { afterEach, describe, expect, test } from 'vitest';
import { user } from '../../schemas/user.ts';
import { caller } from '../support/httpService.ts';
import { serviceForFile } from '../support/localService.ts';
import { folderForTest, moving, runProgram, serveForTest, startMoving } from '../support/programs.ts';

const service = await serviceForFile();
const call = caller(service.url);

async function deleteEverybody(): Promise<void> {
  for (const { id } of await everybody()) await call('DELETE', `/api/users/${id}`);
}

afterEach(deleteEverybody);

interface Listed {
  id?: number;
  createdAt?: string;
  updatedAt?: string;
  name: string;
}

async function everybody(): Promise<Listed[]> {
  const { body } = await call('GET', '/api/users/all?sort=name');
  return body as Listed[];
}

/** Imports a file with this content. @returns what it says of the users, and its refused lines */
async function importing(content: string, options: string[] = [], file = join(folderForTest(), 'users.csv')) {
  writeFileSync(file, content);
  const { code, stdout, stderr } = await moving('import', ['--url', service.url, '--file', file, ...options]);
  const [said = ''] = stdout.split(/, see |\. \d/);
  const refused = existsSync(`${file}.refused`) ? readFileSync(`${file}.refused`, 'utf8') : '';
  return { code, said, stderr, refused };
}

/** Sorted by name. */
const PEOPLE = [
  { name: '1 =1+1', firstName: '=cmd()', lastName: "'@x", status: '+', country: '-', externalId: '007' },
  { name: '2 "quoted", and; more\u2028\u2029', firstName: '', lastName: '\uFEFF ' },
  { name: '3 Ωμέγα', email: `${'ö'.repeat(32)}@${'a'.repeat(63)}.${'b'.repeat(63)}.${'c'.repeat(61)}`, age: 0 },
  { name: '3a', attributes: { constructor: '=1+1', length: 0.5, valueOf: "';=x", toString: ['a', '"b";+c'], z: true } },
  { name: '4 山田太郎', firstName: '太郎', lastName: '山田', age: 9_007_199_254_740_991 },
  { name: '5 مُحَمَّد', lastName: 'שלום' },
  { name: '6 ไทย हिन्दी 한국어 ქართული', lastName: 'e\u0301é' },
  { name: "7 '", firstName: "''", lastName: "'Ann" },
  { name: '\u{1F600}'.repeat(200), lastName: 'x'.repeat(200), status: 's'.repeat(64), country: '\u{20BB7}'.repeat(64) },
];

describe('export and import', () => {
  test.each(['csv', 'ndjson'])(
    'copy users with their ids as %s, so that all but updatedAt is as before',
    async (format) => {
      const file = join(folderForTest(), `a.${format}`);
      writeFileSync(file, PEOPLE.map((user) => JSON.stringify(user)).join('\n'));
      expect(await moving('import', ['--url', `${service.url}/`, '--file', file])).toMatchObject({ code: 0 });
      const before = await everybody();
      expect(before.map(({ id: _, createdAt: __, updatedAt: ___, ...fields }) => fields)).toEqual(PEOPLE);
      const exported = await moving('export', ['--url', service.url, '--format', format]);
      expect(exported).toMatchObject({ code: 0, stderr: expect.stringMatching(/9 users in \d/) });
      expect(await importing(exported.stdout, ['--keep-ids'], file)).toMatchObject({
        ...{ code: 0, said: '0 users created, 9 there already, the same, none refused' },
      });
      // Some users are still there, some are gone, and one id belongs to another user now.
      const [gone, , other] = before;
      await call('DELETE', `/api/users/${gone?.id}`);
      await call('PATCH', `/api/users/${other?.id}`, { json: { age: 77 } });
      expect(await importing(exported.stdout, ['--keep-ids'], file)).toMatchObject({
        ...{ code: 1, refused: expect.stringContaining(`User ${other?.id} is there, with other fields`) },
        said: '1 user created, 7 there already, the same, 1 there already, but changed, none refused',
      });
      await deleteEverybody();
      const lines = exported.stdout.split(format === 'csv' ? '\r\n' : '\n');
      const shuffled = [...lines.slice(0, 1), ...lines.slice(1).toReversed()].filter((line) => line !== '');
      expect(await importing(shuffled.join('\n'), ['--keep-ids'], file)).toMatchObject({
        ...{ code: 0, said: '9 users created, 0 there already, the same, none refused' },
      });
      const withoutChange = (users: typeof before) => users.map(({ updatedAt: _, ...user }) => user);
      expect(withoutChange(await everybody())).toEqual(withoutChange(before));
    },
  );

  test('write lines that are refused with their reasons to a file, such as lines whose id cannot be kept', async () => {
    const future = Date.now() * 4_096;
    const content = `id;name;note\n;Ann;\nx;Cy\n7;;none\n${future};Ed;\n9007199254740993;Flo;\n0;Bo;\n1.5;Di;\n`;
    const { refused, ...told } = await importing(content, ['--keep-ids']);
    expect(told).toEqual({
      ...{ code: 1, said: '0 users created, 0 there already, the same, 7 lines refused' },
      stderr: expect.stringContaining('Ignored columns: "note"\n'),
    });
    expect(refused.split('\r\n').toSorted()).toEqual([
      '',
      '2;id is required to keep it;;Ann;',
      '3;The line has 2 cells, and the first row 3;x;Cy',
      '4;Name is required;7;;none',
      `5;No user can have the id ${future} yet;${future};Ed;`,
      '6;id must be an integer from 1 to 9007199254740991;9007199254740993;Flo;',
      '7;id must be an integer from 1 to 9007199254740991;0;Bo;',
      '8;id must be an integer from 1 to 9007199254740991;1.5;Di;',
      'line;message;id;name;note',
    ]);
  });

  test('make numbers of a column only if all lines of a file have numbers there', async () => {
    const rows = Array.from({ length: 1_100 }, (_, n) => `N${n},${n},${n}`);
    const content = ['name,code,level', ...rows, 'Zoe,007,1'].join('\n');
    const tried = await importing(content, ['--attributes', '--typed', '--dry-run']);
    expect(tried).toMatchObject({ code: 2, said: '0 users valid, none refused' });
    expect(tried.stderr).toContain('"attributes.code" has 1,100 numbers, 1 text (line 1102: "007")\n');
    const options = ['--attributes', '--typed', '--text', 'code'];
    const imported = await importing('name,code,level\nN0,0,0\nZoe,007,1\n', options);
    expect(imported).toMatchObject({ code: 0 });
    expect(await everybody()).toMatchObject([
      { name: 'N0', attributes: { code: '0', level: 0 } },
      { name: 'Zoe', attributes: { code: '007', level: 1 } },
    ]);
  });

  test('leave the refused lines of an import alone when a dry run follows', async () => {
    const file = join(folderForTest(), 'users.csv');
    writeFileSync(file, 'name,age,login\nAnn,-,a@a.example\n,2,\n');
    writeFileSync(`${file}.refused`, 'of an import');
    const options = ['--dry-run', '--file', file, '--ignore', 'login', '--null=-'];
    expect(await moving('import', options)).toMatchObject({
      code: 1,
      stdout: expect.stringContaining(`1 user valid, 1 line refused, see ${file}.dry-run.refused`),
    });
    expect(readFileSync(`${file}.refused`, 'utf8')).toBe('of an import');
  });

  test('create no user twice when a run was killed and is repeated', async () => {
    const file = join(folderForTest(), 'users.csv');
    const lines = Array.from({ length: 500 }, (_, n) => `Killed ${n},${n}`);
    writeFileSync(file, `name,age\n${lines.join('\n')}\n`);
    const options = ['--url', service.url, '--file', file, '--parallel', '1'];
    const first = startMoving('import', options);
    for (let count = 0; count < 20; count = (await everybody()).length) await setTimeout(20);
    first.child.kill('SIGKILL');
    expect((await first.ended).code).toBe(null);
    expect((await everybody()).length).toBeLessThan(500);
    expect(await moving('import', options)).toMatchObject({
      code: 0,
      stdout: expect.stringMatching(/^\d+ users created, [1-9]\d* there already, the same, none refused\. /),
    });
    const names = (await everybody()).map(({ name }) => name);
    expect({ users: names.length, names: new Set(names).size }).toEqual({ users: 500, names: 500 });
  });

  test('say what is so: created, there already, changed or gone since; corrected lines need no other name', async () => {
    const file = join(folderForTest(), 'users.csv');
    // Two equal lines are two users.
    const people = 'name,age\nAnn,1\nAnn,1\nBob,2\nCy,3\n';
    expect(await importing(`${people}Di,x\n`, [], file)).toMatchObject({
      ...{ code: 1, said: '4 users created, 0 there already, the same, 1 line refused' },
    });
    const [ann, , bob] = await everybody();
    await call('DELETE', `/api/users/${bob?.id}`);
    await call('PATCH', `/api/users/${ann?.id}`, { json: { age: 7 } });
    expect(await importing(`name,age\nDi,4\n${people.slice(9)}`, [], file)).toEqual({
      code: 1,
      said: '1 user created, 2 there already, the same, 1 there already, but changed, 1 gone since, none refused',
      stderr: expect.stringContaining(`: User ${ann?.id} was created by an earlier import and has changed since\n`),
      refused: expect.stringMatching(
        new RegExp(
          `^line,message,name,age\r\n5,"User ${bob?.id} was created by an earlier import and has been deleted`,
        ),
      ),
    });
    expect(await importing('name,age\nBob,2\n', ['--name', 'again'], file)).toMatchObject({
      ...{ code: 0, said: '1 user created, 0 there already, the same, none refused' },
    });
  });

  test('give users the moments of a column, and find them again in any order, also two of one id', async () => {
    const importSince = (lines: readonly string[], ...options: string[]) =>
      importing(`since;name;age\n${lines.join('\n')}\n`, ['--created', 'Since', ...options]);
    // The last two have the same first id.
    const lines = ['1614834367089;Ann;1', '2021-03-04;N36;', '2021-03-04;N72;'];
    const wrong = ['2019-12-31;Old;', '2999-01-01;Ed;', 'x;Di;'];
    expect(await importSince([...lines, ...wrong])).toEqual({
      ...{ code: 1, said: '3 users created, 0 there already, the same, 3 lines refused' },
      stderr: expect.not.stringContaining('Ignored columns'),
      refused: expect.stringContaining('5;Since is before 2020, where ids begin;2019-12-31;Old;'),
    });
    const before = await everybody();
    expect(before.map(({ name, createdAt }) => [name, createdAt])).toEqual([
      ['Ann', '2021-03-04T05:06:07.089Z'],
      ['N36', '2021-03-04T00:00:00.000Z'],
      ['N72', '2021-03-04T00:00:00.000Z'],
    ]);
    expect(await importSince(['2021-03-04;N230;', ...lines.toReversed()])).toMatchObject({
      ...{ code: 0, said: '1 user created, 3 there already, the same, none refused' },
    });
    expect(await everybody()).toEqual(expect.arrayContaining(before));
    await call('PATCH', `/api/users/${before[0]?.id}`, { json: { name: 'Anna', age: 2 } });
    expect(await importSince(lines)).toMatchObject({
      ...{ code: 1, refused: expect.stringContaining(`User ${before[0]?.id} is there, with other fields`) },
      said: '0 users created, 2 there already, the same, 1 there already, but changed, none refused',
    });
    expect(await importSince(lines, '--keep-ids')).toMatchObject({
      ...{ code: 2, stderr: expect.stringContaining(': choose one') },
    });
  });
});

describe('import --by externalId', () => {
  const sync = (content: string, ...options: string[]) =>
    importing(content, ['--by', 'externalId', '--map', 'no=externalId', ...options]);
  const fields = async () => (await everybody()).map(({ id: _, createdAt: __, updatedAt: ___, ...user }) => user);

  test('creates, updates what the file says, leaves other fields alone, and writes nothing the second time', async () => {
    await call('POST', '/api/users', { json: { name: 'Local' } });
    const people = 'no,name,email\n1,Ann,a@a.example\n2,Bob,\n';
    expect(await sync(people)).toMatchObject({
      code: 0,
      said: '2 users created, 0 updated, 0 unchanged, none refused',
    });
    const [ann] = await everybody();
    await call('PATCH', `/api/users/${ann?.id}`, { json: { status: 'active' } });
    const before = await everybody();
    expect((await sync(people)).said).toBe('0 users created, 0 updated, 2 unchanged, none refused');
    const next = 'no,name,email\n2,Bob,b@b.example\n1,Ann,\n007,Cy,\n';
    const would = '1 user to be created, 2 to be updated (email 2), 0 unchanged, none refused';
    expect((await sync(next, '--dry-run')).said).toBe(would);
    expect(await everybody()).toEqual(before);
    expect((await sync(next)).said).toBe('1 user created, 2 updated (email 2), 0 unchanged, none refused');
    expect(await fields()).toEqual([
      { name: 'Ann', externalId: '1', status: 'active' },
      { name: 'Bob', externalId: '2', email: 'b@b.example' },
      { name: 'Cy', externalId: '007' },
      { name: 'Local' },
    ]);
    const replaced = '0 users created, 1 updated (status 1), 2 unchanged, none refused';
    expect((await sync(next, '--replace')).said).toBe(replaced);
  });

  test('sends nothing of a cell of another kind than those of the file, or than what is stored', async () => {
    const typed = (content: string, ...options: string[]) => sync(content, '--attributes', '--typed', ...options);
    const first = 'no,name,level,ok\n1,Ann,1,true\n2,Bob,2,false\n';
    expect((await typed(first)).code).toBe(0);
    const before = await everybody();
    expect(await typed(`${first}3,Cy,n/a,yes\n`)).toMatchObject({
      code: 2,
      stderr: expect.stringContaining(
        '"attributes.level" has 2 numbers, 1 text (line 4: "n/a")\n"attributes.ok" has 2 b',
      ),
    });
    expect(await typed('no,name,level\n1,Ann,n/a\n')).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('"attributes.level" has texts in the file (line 2: "n/a"), and numbers in'),
    });
    expect(await everybody()).toEqual(before);
    expect((await typed('no,name,level\n1,Ann,n/a\n', '--text', 'level')).said).toContain('1 updated');
    expect((await typed('no,name,level\n1,Ann,3\n')).said).toContain('1 updated (attributes.level 1)');
  });

  test('sends nothing of another source with the same keys; of a pipe these lines are refused', async () => {
    await sync('no,name,email\n1,Ann Lee,a@a.example\n2,Bob Ray,b@a.example\n');
    const before = await everybody();
    const other = 'no,name,email\n1,Xu Wu,x@b.example\n2,Yves Oz,y@b.example\n3,Zora Ek,z@b.example\n';
    expect(await sync(other)).toMatchObject({
      ...{ code: 2, said: '0 users created, 0 updated, 0 unchanged, none refused' },
      stderr: expect.stringContaining('Line 2 would make Xu Wu of Ann Lee ("1")\nLine 3 would make'),
    });
    expect(await everybody()).toEqual(before);
    const refused = join(folderForTest(), 'refused');
    const request = [
      '--url',
      service.url,
      '--file',
      '-',
      '--refused',
      refused,
      '--by',
      'externalId',
      '--map',
      'no=externalId',
    ];
    expect(await moving('import', request, { input: other })).toMatchObject({
      ...{ code: 1, stdout: expect.stringContaining('1 user created, 0 updated, 0 unchanged, 2 lines refused') },
    });
    expect((await sync(other, '--keys-as-written')).said).toContain('0 users created, 2 updated (');
  });

  test('names users without a name by other columns, and says that there is a way', async () => {
    const content = '{"no":"1","login":"ann","name":"Ann"}\n{"no":"2","login":"bob"}\n';
    expect(await sync(content)).toMatchObject({
      code: 1,
      said: '1 user created, 0 updated, 0 unchanged, 1 line refused',
    });
    expect((await sync(content, '--name-from', 'login')).said).toBe(
      '1 user created, 0 updated, 1 unchanged, none refused',
    );
    expect(await fields()).toMatchObject([{ name: 'Ann' }, { name: 'bob' }]);
  });

  test('refuses lines that cannot be found again, with their numbers', async () => {
    const { code, said, refused } = await sync('no,name\n1,Ann\n,Bob\n1,Cy\n2,\n');
    expect([code, said]).toEqual([1, '1 user created, 0 updated, 0 unchanged, 3 lines refused']);
    expect(refused.split('\r\n')).toEqual([
      'line,message,no,name',
      '3,externalId is required: --by finds users by it,,Bob',
      '4,Line 2 has the same externalId,1,Cy',
      '5,Name is required,2,',
      '',
    ]);
  });

  test('deletes whom the file no longer has, if somebody wants it who knows how many they are', async () => {
    const people = ['no,name', ...Array.from({ length: 10 }, (_, n) => `${n},N${n}`)];
    await call('POST', '/api/users', { json: { name: 'Local' } });
    await sync(people.join('\n'));
    const nobody = async (content: string[], reason: string, ...options: string[]) => {
      const { code, said, stderr } = await sync(content.join('\n'), '--delete-missing', ...options);
      expect([code, said, stderr]).toEqual([
        2,
        expect.stringContaining(', 0 deleted, '),
        expect.stringContaining(`Nobody ${reason}`),
      ]);
    };
    const some = people.slice(0, 7);
    await nobody(some, 'is deleted: nobody said yes. In a script, say --at-most 4, or --yes');
    await nobody(some, 'is deleted: they are more than --at-most 3', '--at-most', '3', '--yes');
    await nobody(people.slice(0, 1), 'is deleted: no line of the file has an externalId', '--yes');
    await nobody([...some, '9,'], 'is deleted: 1 line refused, maybe of these users: ', '--yes');
    const preview = '4 users of 10 with an externalId (40.0 %) are not in the file: N6 (6), N7 (7), N8 (8), …\n';
    const dry = await sync(some.join('\n'), '--delete-missing', '--dry-run');
    expect(dry).toMatchObject({ code: 0, stderr: expect.stringContaining(preview) });
    expect(dry.said).toBe('0 users to be created, 0 to be updated, 6 unchanged, 4 to be deleted, none refused');
    expect(await everybody()).toHaveLength(11);
    // A line that is refused says who is not missing.
    const despite = await sync([...some, '9,'].join('\n'), '--delete-missing', '--yes', '--despite-refused');
    expect([despite.code, despite.said]).toEqual([
      1,
      '0 users created, 0 updated, 6 unchanged, 3 deleted, 1 line refused',
    ]);
    expect((await sync(some.join('\n'), '--delete-missing', '--at-most', '1')).said).toContain(', 1 deleted, ');
    expect((await everybody()).map(({ name }) => name)).toEqual(['Local', 'N0', 'N1', 'N2', 'N3', 'N4', 'N5']);
  });

  test('sends nothing, and deletes nobody, when something has touched keys; a pipe is read once, and deletes nobody', async () => {
    await sync('no,name\n4711,Ann\n4712,Bob\n');
    const touched = 'no,name,age\n#N/A,Ann,1\n4712,Bob,2\n';
    const named =
      'Line 2: externalId "#N/A" is a spreadsheet\'s error\nIf all of them are right, say --keys-as-written';
    const stopped = await sync(touched, '--delete-missing', '--yes', '--despite-refused');
    expect(stopped).toMatchObject({ code: 2, stderr: expect.stringContaining(named), refused: '' });
    expect(stopped.said).toBe('0 users created, 0 updated, 0 unchanged, 0 deleted, none refused');
    const options = ['--by', 'externalId', '--map', 'no=externalId', '--delete-missing', '--yes', '--despite-refused'];
    const refused = join(folderForTest(), 'refused');
    const request = ['--url', service.url, '--file', '-', '--refused', refused, ...options];
    const piped = await moving('import', request, { input: touched });
    expect(piped).toMatchObject({ code: 2, stderr: expect.stringContaining('Nobody is deleted: something') });
    expect(readFileSync(refused, 'utf8')).toContain('2,"externalId ""#N/A"" is a spreadsheet\'s error: correct it');
    expect(await fields()).toEqual([
      { name: 'Ann', externalId: '4711' },
      { name: 'Bob', externalId: '4712', age: 2 },
    ]);
    const broken = await sync('no,name\n4712,Bob\n47"11,Ann\n', '--delete-missing', '--yes', '--despite-refused');
    expect(broken.stderr).toContain('Nobody is deleted: 1 line cannot be read, maybe of these users');
    expect((await sync(touched, '--delete-missing', '--yes', '--keys-as-written')).said).toBe(
      '1 user created, 0 updated, 1 unchanged, 1 deleted, none refused',
    );
  });
});

test('an export that was interrupted says how to go on, and the same command goes on behind its last whole user', async () => {
  const folder = folderForTest();
  const users = [1, 2, 3].map((id) => ({ id, name: `Zoë ${id}` }));
  const lines = users.map((user) => `${JSON.stringify(user)}\n`);
  const asked: (string | undefined)[] = [];
  const url = await serveForTest((request, response) => {
    const isFirst = asked.push(request.url) === 1;
    response.writeHead(200, { 'x-total-count': isFirst ? 3 : 2, 'content-type': 'application/x-ndjson' });
    if (isFirst) response.write(`${lines[0]}${lines[1]}`);
    else response.end(`${lines[1]}${lines[2]}`);
  });
  const options = ['--url', url, '--file', join(folder, 'users.json')];
  const first = startMoving('export', options);
  const parts = () =>
    readdirSync(folder).filter((name) => name.endsWith('.part') && statSync(join(folder, name)).size > 40);
  while (parts().length === 0) await setTimeout(20);
  first.child.kill('SIGINT');
  const [part = ''] = parts();
  expect((await first.ended).stderr).toContain(`goes on behind the users in ${join(folder, part)}`);
  // The last line of a run may be cut off.
  writeFileSync(join(folder, part), `,{"id":3,"na`, { flag: 'a' });
  const { code, stderr } = await moving('export', options);
  expect([code, stderr]).toEqual([0, expect.stringContaining(`Going on behind 2 users in ${join(folder, part)}\n`)]);
  expect(asked).toHaveLength(2);
  expect(asked[1]).toBe('/api/users/all?createdAt.gte=2020-01-01T00%3A00%3A00.000Z');
  expect(readdirSync(folder)).toEqual(['users.json']);
  expect(JSON.parse(readFileSync(join(folder, 'users.json'), 'utf8'))).toEqual(users);
});

test('npm run export writes a file without lines from npm, and an export that is refused leaves it as it is', async () => {
  const file = join(folderForTest(), 'users.csv');
  const { code, stderr } = await runProgram('sh', ['-c', `npm run export -- --url ${service.url} --file ${file}`]);
  expect([code, stderr]).toEqual([
    0,
    expect.stringContaining('must open the column id as text: of a number it keeps 15'),
  ]);
  // Windows has no such modes.
  if (platform() !== 'win32') expect(statSync(file).mode & 0o777).toBe(0o600);
  const again = ['--url', service.url, '--file', file, '--filter', 'agee=3'];
  const sorted = await moving('export', [...again, '--filter', 'sort=age,desc']);
  expect(sorted).toMatchObject({ code: 1, stderr: 'Use --sort age,desc in place of --filter sort=age,desc\n' });
  expect(await moving('export', again)).toMatchObject({ code: 1, stderr: expect.stringContaining('400: ') });
  expect(readFileSync(file, 'utf8')).toBe(`${Object.keys(user.properties).join(',')}\r\n`);
});
