import { execFile } from 'node:child_process';
import { existsSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import type { IncomingHttpHeaders } from 'node:http';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { describe, expect, test } from 'vitest';
import { inParallel } from '../../../lib/ground/index.ts';
import { typesText } from '../../../tools/check/document.ts';
import { ROOT, read } from '../../support/files.ts';
import { caller, createOver } from '../../support/httpService.ts';
import { serviceForFile } from '../../support/localService.ts';
import { temporaryFolder } from '../../support/programs.ts';
import { type Fate, type Meddling, type Passed, startGate } from '../../support/servers.ts';

/** Asynchronous, because this process has to answer the program. */
const execute = promisify(execFile);

const PAGE = read('examples/README.md');

/** The programs for readers, by their names. */
const EXAMPLES = new Map<string, string>(
  readdirSync(join(ROOT, 'examples')).flatMap((name) =>
    name.endsWith('.md') ? [] : [[name, read(`examples/${name}`)]],
  ),
);

/** More users than fit on a page of `follow.ts`, with last names in the order of their numbers. */
const PEOPLE = Array.from({ length: 105 }, (_, n) => ({
  name: `N${n}`,
  lastName: `L${String(n).padStart(3, '0')}`,
  status: 'active',
}));

interface RunOptions extends Meddling {
  args?: string[];
  token?: string;
}

const folder = temporaryFolder();

/** The examples that ran to their end, and the examples that they import. */
const ran = new Set<string>();

const service = await serviceForFile({ env: { JOURNAL_REST_MS: '0' } });
const call = caller(service.url);
await inParallel(PEOPLE, 8, (person) => call('POST', '/api/users', { json: person }));
// They run as a reader's would. Their types come from the service, or from the repository.
for (const [name, code] of EXAMPLES) writeFileSync(join(folder, name), code);
writeFileSync(join(folder, 'package.json'), '{"type":"module"}');
symlinkSync(join(ROOT, 'node_modules'), join(folder, 'node_modules'), 'junction');
await run('types.sh');

/** A program, and what it imports. */
function usedBy(name: string): string[] {
  const imports = readFileSync(join(folder, name), 'utf8').matchAll(/'\.\/(\w+\.ts)'/g);
  return [name, ...[...imports].flatMap(([, used = '']) => usedBy(used))];
}

/** Runs an example as its reader would. Fails if the program fails. */
async function run(name: string, { args = [], token = '', ...meddling }: RunOptions = {}) {
  const program = name.endsWith('.sh') ? ['bash', '-eu'] : [process.execPath];
  const gate = await startGate(service.url, meddling);
  const env = { ...process.env, API: gate.url, TOKEN: token };
  const [file = '', ...options] = [...program, name, ...args];
  const { stdout } = await execute(file, options, { cwd: folder, env }).finally(gate.close);
  for (const each of usedBy(name)) if (EXAMPLES.has(each)) ran.add(each);
  return { lines: stdout.split('\n').slice(0, -1), passed: gate.passed };
}

const requestsOf = (passed: Passed[]) => passed.map(({ request, status }) => `${request} ${status}`);
const create = (fields: object) => createOver(call)(fields);

describe('the typed client', () => {
  test('has the types that programs here have, without 401 and 403 at a stage that needs no tokens', async () => {
    const types = (await typesText()).replace(/^ +40[13]: .*\n/gm, '');
    expect(readFileSync(join(folder, 'openapi.d.ts'), 'utf8')).toBe(types);
  });

  test('is type-checked as strictly as the service', async () => {
    // It names types of react-admin, which npm run test:clients installs.
    const exclude = ['dataProvider.ts'];
    const config = { extends: join(ROOT, 'tsconfig.json'), include: ['*.ts'], exclude };
    writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify(config));
    const tsc = join(ROOT, 'node_modules/typescript/bin/tsc');
    const { stdout } = await execute(process.execPath, [tsc], { cwd: folder }).catch((error) => error);
    expect(stdout).toBe('');
  });

  test('lists a page with its totals, and sends a token if it has one', async () => {
    const { lines, passed } = await run('list.ts');
    expect(lines).toEqual(['105 53 N102 N101']);
    expect(requestsOf(passed)).toEqual(['GET /api/users?status=active&sort=lastName%2Cdesc&page=1&size=2 200']);
    expect(passed).toMatchObject([{ authorization: undefined }]);
    const withToken = await run('list.ts', { token: 'abc' });
    expect(withToken.passed).toMatchObject([{ status: 200, authorization: 'Bearer abc' }]);
  });
});

describe('the reader of lists', () => {
  const [walk = '', batches = ''] = [...PAGE.matchAll(/`node follow\.ts '(.*?)'`/g)].map(([, query = '']) => query);

  test('follows a walk in its order, with its token', async () => {
    const { lines, passed } = await run('follow.ts', { args: [walk], token: 'abc' });
    expect(lines).toEqual(PEOPLE.map(({ name }) => name));
    expect(requestsOf(passed).map((request) => request.replace(/=[\w-]{40,}/, '=…'))).toEqual([
      'GET /api/users?after=&sort=lastName&size=100 200',
      'GET /api/users?sort=lastName&size=100&after=… 200',
    ]);
    expect(passed.map(({ authorization }) => authorization)).toEqual(['Bearer abc', 'Bearer abc']);
  });

  test('follows batches by id', async () => {
    const { lines, passed } = await run('follow.ts', { args: [batches] });
    const all = (await call('GET', '/api/users/all')).body as { id: number; name: string }[];
    expect(lines).toEqual(all.sort((a, b) => a.id - b.id).map(({ name }) => name));
    expect(passed).toHaveLength(6);
    expect(passed[0]?.request).toBe('GET /api/users?cursor=0');
  });

  test('writes a spreadsheet of some users with some members', async () => {
    const [old, young] = [
      await create({ name: 'Ann', email: 'Ann@ACME.com' }),
      await create({ name: 'Bo', email: 'bo@acme.com', status: 'on' }),
    ];
    await create({ name: 'Cy', email: 'cy@acme.com', status: 'archived' });
    const { lines } = await run('sheet.sh');
    expect(lines).toEqual([
      'id,name,email,lastName\r',
      `${young.id},Bo,bo@acme.com,\r`,
      `${old.id},Ann,Ann@ACME.com,\r`,
    ]);
  });
});

/** Reads a list and a user, three times each. */
const READ_THRICE = `
  import './cached.ts';
  import { api } from './client.ts';
  const path = { id: Number(process.argv[2]) };
  const query = { status: ['aging'] };
  for (let i = 0; i < 3; i++) {
    const list = await api.GET('/api/users', { params: { query } });
    const one = await api.GET('/api/users/{id}', { params: { path } });
    console.log(JSON.stringify([list.data, one.data]));
  }`;

/** Reads a list as JSON, twice as CSV, and as JSON again. */
const READ_BOTH = `
  import './cached.ts';
  import { api } from './client.ts';
  const params = { query: { status: ['both'] } };
  for (const accept of ['application/json', 'text/csv', 'text/csv', 'application/json']) {
    const { data } = await api.GET('/api/users', { params, headers: { accept }, parseAs: 'text' });
    console.log(String(data).split('\\r')[0]);
  }`;

describe('conditional requests', () => {
  /** Changes the age of a user just before a request is sent on. */
  const changing = (id: number, age: number, at: number) => async (count: number) => {
    if (count === at) await call('PATCH', `/api/users/${id}`, { json: { age } });
  };

  test('get a list and a user again only after a change', async () => {
    const { id } = await create({ name: 'Ann', age: 3, status: 'aging' });
    writeFileSync(join(folder, 'readThrice.ts'), READ_THRICE);
    const { lines, passed } = await run('readThrice.ts', { args: [String(id)], before: changing(id, 4, 5) });
    const shown = lines.map((line) => JSON.parse(line));
    expect(shown.map(([list, user]) => [list.content[0].age, user.age])).toEqual([
      [3, 3],
      [3, 3],
      [4, 4],
    ]);
    expect(shown[1]).toEqual(shown[0]);
    expect(passed.map(({ status }) => status)).toEqual([200, 200, 304, 304, 200, 200]);
  });

  test('keep JSON and CSV of one URL apart', async () => {
    await create({ name: 'Cid', status: 'both' });
    writeFileSync(join(folder, 'readBoth.ts'), READ_BOTH);
    const { lines, passed } = await run('readBoth.ts');
    expect(lines.map((line) => line.slice(0, 10))).toEqual(['{"content"', 'id,name,em', 'id,name,em', '{"content"']);
    expect(passed.map(({ status }) => status)).toEqual([200, 200, 304, 200]);
  });

  test('apply a change to what another writer has just written', async () => {
    const { id } = await create({ name: 'Ann', age: 3 });
    const path = `/api/users/${id}`;
    const { passed } = await run('birthday.ts', { args: [String(id)], before: changing(id, 50, 2) });
    const requests = [`GET ${path} 200`, `PATCH ${path} 412`, `GET ${path} 200`, `PATCH ${path} 200`];
    expect(requestsOf(passed)).toEqual(requests);
    expect((await call('GET', path)).body).toMatchObject({ age: 51 });
  });

  test('fail when the user is gone, or changes all the time', async () => {
    await expect(run('birthday.ts', { args: ['7'] })).rejects.toThrow('Status 404');
    const { id } = await create({ name: 'Ann' });
    const fateOf = (count: number): Fate => (count % 2 === 0 ? { status: 412 } : undefined);
    await expect(run('birthday.ts', { args: [String(id)], fateOf })).rejects.toThrow('"status":412');
  });
});

test('the batch sends again what has a 503, and fails if a user could not be changed', async () => {
  const people = [await create({ name: 'Ann', externalId: 'b|1' }), await create({ name: 'Bo', externalId: 'b|2' })];
  const results = [{ status: 404, message: 'gone' }, { status: 503 }];
  let requests = 0;
  const fateOf = (count: number): Fate => {
    requests = count;
    return count === 2 ? { status: 200, json: { results } } : undefined;
  };
  const failed = run('batch.ts', { args: ['team', 'red', 'b|1', 'b|2'], fateOf });
  await expect(failed).rejects.toMatchObject({ code: 1, stderr: 'gone\n' });
  expect(requests).toBe(3);
  const now = await Promise.all(people.map(({ id }) => call('GET', `/api/users/${id}`)));
  const teams = now.map(({ body }) => (body as { attributes?: object }).attributes);
  // One of the two, in the order of the list.
  expect(teams).toEqual([undefined, { team: 'red' }]);
});

test('the batch changes more users than a request takes, and fails if somebody is not there', async () => {
  const ids = Array.from({ length: 101 }, (_, n) => `many|${n}`);
  await inParallel(ids, 8, (externalId) => create({ name: externalId, externalId }));
  const strangers = async () => (await call('GET', '/api/users?attributes.squad=blue&size=1')).body;
  expect((await run('batch.ts', { args: ['squad', 'blue', ...ids, 'many|0'] })).passed).toHaveLength(4);
  expect(await strangers()).toMatchObject({ totalElements: 101 });
  const failed = run('batch.ts', { args: ['squad', 'green', 'many|0', 'nobody'] });
  await expect(failed).rejects.toMatchObject({ code: 1, stderr: 'Nobody has the external id nobody\n' });
  expect(await strangers()).toMatchObject({ totalElements: 100 });
  // The service refuses such a name.
  await expect(run('batch.ts', { args: ['1', 'blue', 'many|0'] })).rejects.toMatchObject({ code: 1 });
});

describe('wrong arguments', () => {
  /** Wrong ones of each program: too few, too many, an empty text, an option, a wrong kind. The others are for other programs. */
  const WRONG: Readonly<Record<string, readonly string[][]>> = {
    'batch.ts': [
      [],
      ['team'],
      ['team', 'red'],
      ['team', 'red', ''],
      ['team', 'red', ' ', 'many|0'],
      ['', 'red', 'many|0'],
      ['--help'],
    ],
    'birthday.ts': [[], [''], ['x'], ['1.5'], ['-1'], ['1', '2']],
    'copy.ts': [['x'], ['']],
    'create.ts': [[''], ['a', 'b'], ['--help']],
    'errors.sh': [['x'], ['']],
    'follow.ts': [[''], ['cursor=0'], ['?cursor=0', 'x'], ['?cursr=0'], ['?cursor=x']],
    'list.ts': [['x'], ['']],
    'sheet.sh': [['x'], ['']],
    'types.sh': [['x'], ['']],
  };

  test('are known for each program, whose use the page shows in a line', () => {
    const programs = [...EXAMPLES].flatMap(([name, code]) =>
      /readArguments\('|readArguments\("|readArguments\(usage,|\[ \$# /.test(code) ? [name] : [],
    );
    expect(programs).toEqual(Object.keys(WRONG));
    expect(programs.filter((name) => !new RegExp(`\\| \`(?:node|sh) ${name}[ \`]`).test(PAGE))).toEqual([]);
    const libraries = ['cached.ts', 'client.ts', 'dataProvider.ts', 'filters.ts', 'table.ts'];
    expect([...programs, ...libraries].sort()).toEqual([...EXAMPLES.keys()].sort());
  });

  test.each(Object.entries(WRONG))('of %s end it with a message', async (name, wrong) => {
    for (const args of wrong) {
      const failure = await run(name, { args }).catch((error) => error);
      expect([args, failure.code, failure.stderr]).toEqual([
        args,
        expect.toSatisfy((code) => code === 1 || code === 2),
        expect.stringMatching(/Usage: (?:node|sh) |Error: /),
      ]);
    }
  });

  // types.sh asks npx, and the creator of a user waits for a service that may come.
  test.each(Object.keys(WRONG).filter((name) => !['types.sh', 'create.ts'].includes(name)))(
    'of %s are no excuse: it fails if nobody listens',
    async (name) => {
      const program = name.endsWith('.sh') ? 'bash' : process.execPath;
      const args = { 'batch.ts': ['team', 'red', 'x'], 'birthday.ts': ['7'] }[name] ?? [];
      const env = { ...process.env, API: 'http://127.0.0.1:1', TOKEN: '' };
      const failure = await execute(program, [name, ...args], { cwd: folder, env }).catch((error) => error);
      expect([failure.code > 0, failure.stderr]).toEqual([true, expect.stringMatching(/fetch failed|curl: /)]);
    },
  );
});

describe('errors', () => {
  test('have the two shapes that it shows', async () => {
    const shown = EXAMPLES.get('errors.sh')?.match(/(?<=^# ).*/gm);
    expect(shown).toHaveLength(2);
    expect((await run('errors.sh')).lines).toEqual(shown);
  });

  test('are all in the table of what to send again', () => {
    const [, table = ''] =
      /^\| Status \| Codes \| Send it again\? \|\n(.*?)\n<!--/ms.exec(read('docs/client.md')) ?? [];
    const statuses = table.match(/(?<=^\| )\d{3}(?= \|)/gm);
    const document = JSON.parse(read('docs/openapi.json'));
    const known = Object.keys(document.components.responses).map((name) => name.replace('Error', ''));
    // No operation of the document has 405, which is for other methods.
    expect(statuses?.sort()).toEqual([...known, '405'].sort());
  });
});

describe('the creator of users', () => {
  const createdBy = async (...args: string[]) => JSON.parse((await run('create.ts', { args })).lines[0] ?? '');

  test('waits as long as it is told to, and creates one user when the answer is lost', async () => {
    const fates: Fate[] = [{ status: 429, headers: { 'retry-after': '1' } }, 'lost'];
    const { lines, passed } = await run('create.ts', { args: ['once'], fateOf: (count) => fates[count - 1] });
    expect(requestsOf(passed)).toEqual(['POST /api/users 429', 'POST /api/users 201', 'POST /api/users 201']);
    const [refused = 0, lost = 0, answered = 0] = passed.map(({ at }) => at);
    expect(lost - refused).toBeGreaterThanOrEqual(1_000);
    expect(answered - lost).toBeGreaterThanOrEqual(400);
    const { body } = await call('GET', '/api/users?name.startsWith=Ann%20Lee');
    expect(body).toMatchObject({ totalElements: 1, content: [JSON.parse(lines[0] ?? '')] });
  });

  test('gets the user as it was created when it uses a key again, even if the user is gone, and takes a new key without one', async () => {
    const user = await createdBy('again');
    expect((await call('DELETE', `/api/users/${user.id}`)).status).toBe(204);
    expect(await createdBy('again')).toEqual(user);
    const ids = [user.id, (await createdBy()).id, (await createdBy()).id];
    expect(new Set(ids).size).toBe(3);
  });

  test.each([
    [422, 1],
    [503, 6],
  ])('that always gets %i sends its request %i times', async (status, times) => {
    let sent = 0;
    const fateOf = (count: number): Fate => {
      sent = count;
      return { status, headers: { 'retry-after': '0' } };
    };
    await expect(run('create.ts', { fateOf })).rejects.toThrow(`{"status":${status},"message":"No"}`);
    expect(sent).toBe(times);
  });
});

/** Calls a method as react-admin does, and prints what it returns or throws. */
const CALL_PROVIDER = `
  import { url } from './client.ts';
  import { createDataProvider } from './dataProvider.ts';
  const provider = createDataProvider(url, async () => process.env.TOKEN);
  const [, , method, params] = process.argv;
  const answer = await provider[method]('users', JSON.parse(params)).catch(({ message, status, body }) => ({ message, status, errors: body.errors }));
  console.log(JSON.stringify(answer));`;

describe('the data provider of react-admin', () => {
  /** @returns what a method gives, and the requests, each with its tag and its body */
  async function provide(method: string, params: object) {
    writeFileSync(join(folder, 'callProvider.ts'), CALL_PROVIDER);
    const sent: string[] = [];
    const fateOf = (_: number, body: string, headers: IncomingHttpHeaders): Fate => {
      sent.push([headers['if-match'], body].filter(Boolean).join(' '));
      return undefined;
    };
    const args = [method, JSON.stringify(params)];
    const { lines, passed } = await run('callProvider.ts', { args, token: 'abc', fateOf });
    expect(new Set(passed.map(({ authorization }) => authorization))).toEqual(new Set(['Bearer abc']));
    const requests = passed.map(({ request, status }, at) => `${request} ${sent[at]} ${status}`.replace('  ', ' '));
    return { answer: JSON.parse(lines[0] ?? ''), requests };
  }

  const sort = { field: 'lastName', order: 'DESC' };
  const nameOf = ({ name }: { name: string }) => name;

  test('lists a page by the filters of forms, whose dots are paths, with the total', async () => {
    const filter = { status: ['active', 'gone'], lastName: { startsWith: 'l1' }, email: '', 'age.missing': true };
    const { answer, requests } = await provide('getList', { pagination: { page: 2, perPage: 3 }, sort, filter });
    expect({ ...answer, data: answer.data.map(nameOf) }).toEqual({ data: ['N101', 'N100'], total: 5 });
    expect(requests).toEqual([
      'GET /api/users?status=active&status=gone&lastName.startsWith=l1&age.missing=true&size=3&sort=lastName%2CDESC&page=1 200',
    ]);
  });

  test('exports more users than a page has, and says so if there is no such filter', async () => {
    const filter = { status: 'active' };
    const { answer, requests } = await provide('getList', { pagination: { page: 1, perPage: 103 }, sort, filter });
    expect([answer.data.map(nameOf), answer.total]).toEqual([PEOPLE.map(nameOf).reverse().slice(0, 103), 105]);
    expect(requests).toHaveLength(2);
    const refused = await provide('getList', { filter: { colour: 'red' } });
    expect(refused.answer).toEqual({ message: 'Unknown parameter colour: is attributes.colour meant?', status: 400 });
  });

  test('gets users by ids, a hundred a request, and those of a value', async () => {
    const { content } = (await call('GET', '/api/users?status=active&size=100')).body as { content: { id: number }[] };
    const ids = [...content.map(({ id }) => id), 7, content[0]?.id];
    const { answer, requests } = await provide('getMany', { ids });
    expect(answer.data).toEqual([...content, content[0]]);
    expect(requests).toHaveLength(2);
    await create({ name: 'Lu', country: 'LU' });
    const pagination = { page: 1, perPage: 5 };
    const referring = await provide('getManyReference', { target: 'country', id: 'LU', pagination, sort, filter: {} });
    expect(referring.answer).toMatchObject({ data: [{ name: 'Lu' }], total: 1 });
  });

  test('creates, changes and deletes a user, each with the tag that was read', async () => {
    const { answer: created } = await provide('create', { data: { name: 'Ann', email: 'ann@example.org', age: null } });
    const { id } = created.data;
    const { answer: read } = await provide('getOne', { id: String(id) });
    expect(read.data).toMatchObject({ id, name: 'Ann', email: 'ann@example.org', etag: '"1"' });
    expect(created).toEqual(read);
    const data = { ...read.data, name: 'Bea', email: null };
    const changed = await provide('update', { id, data, previousData: read.data });
    const { createdAt } = read.data;
    const updatedAt = expect.any(String);
    expect(changed.answer.data).toEqual({ id, name: 'Bea', createdAt, updatedAt, etag: '"2"' });
    expect(changed.requests).toEqual([`PATCH /api/users/${id} "1" {"name":"Bea","email":null} 200`]);
    const late = await provide('delete', { id, previousData: read.data });
    expect(late.answer).toEqual({ message: 'The user has changed: its ETag is now "2"', status: 412 });
    expect((await provide('delete', { id, previousData: changed.answer.data })).answer).toEqual({ data: { id } });
    expect((await provide('getOne', { id })).answer.status).toBe(404);
  });

  test('names what is wrong at each input', async () => {
    const { answer } = await provide('create', { data: { name: ' ', age: -1 } });
    const errors = { name: 'Name is required', age: 'Age must be positive' };
    expect(answer).toEqual({ message: 'Name is required', status: 400, errors });
  });

  test('changes and deletes several users', async () => {
    const ids = [(await create({ name: 'Ann' })).id, (await create({ name: 'Bea' })).id];
    const changed = await provide('updateMany', { ids, data: { status: 'seen' } });
    expect(changed.answer).toEqual({ data: ids });
    expect(changed.requests).toEqual(ids.map((id) => `PATCH /api/users/${id} {"status":"seen"} 200`));
    const deleted = await provide('deleteMany', { ids });
    expect([deleted.answer, deleted.requests]).toEqual([{ data: ids }, ids.map((id) => `DELETE /api/users/${id} 204`)]);
  });
});

test('the table shows a page, sorted and filtered by the service', async () => {
  const state = `{
    pagination: { pageIndex: 1, pageSize: 2 },
    sorting: [{ id: 'status', desc: false }, { id: 'lastName', desc: true }],
    columnFilters: [{ id: 'lastName', value: { startsWith: 'l' } }, { id: 'status', value: ['active', 'gone'] }],
  }`;
  const program = `import { url } from './client.ts'; import { pageOf } from './table.ts'; console.log(JSON.stringify(await pageOf(url, ${state}, 'abc')));`;
  writeFileSync(join(folder, 'showTable.ts'), program);
  const { lines, passed } = await run('showTable.ts');
  expect(JSON.parse(lines[0] ?? '')).toMatchObject({ data: [{ name: 'N102' }, { name: 'N101' }], rowCount: 105 });
  expect(requestsOf(passed)).toEqual([
    'GET /api/users?lastName.startsWith=l&status=active&status=gone&sort=status%2Casc&sort=lastName%2Cdesc&page=1&size=2 200',
  ]);
});

test.each([
  ['list.ts', 1, 401],
  ['follow.ts', 2, 403],
  ['birthday.ts', 2, 429],
  ['copy.ts', 2, 503],
])('the program %s among the examples fails if its request %i is a %i', async (name, at, status) => {
  const { id } = await create({ name: 'Ann' });
  const fateOf = (count: number): Fate => (count >= at ? { status, headers: { 'retry-after': '0' } } : undefined);
  await expect(run(name, { args: name === 'birthday.ts' ? [String(id)] : [], fateOf })).rejects.toThrow();
  // A token without the users would be a copy without them for ever.
  expect(existsSync(join(folder, 'copy.json'))).toBe(false);
});

describe('the copy of all users', () => {
  const copied = async () => {
    await run('copy.ts');
    return JSON.parse(readFileSync(join(folder, 'copy.json'), 'utf8')).users as Record<string, object>;
  };

  const usersNow = async () => {
    const all = (await call('GET', '/api/users/all')).body as { id: number }[];
    return Object.fromEntries(all.map((user) => [user.id, user]));
  };

  test('copies all users, follows their changes, and goes on after a restart and after a lost token', async () => {
    const stays = await create({ name: 'Stays' });
    const goes = await create({ name: 'Goes' });
    expect(await copied()).toEqual(await usersNow());
    await call('PATCH', `/api/users/${stays.id}`, { json: { name: 'Stayed' } });
    await call('DELETE', `/api/users/${goes.id}`);
    await create({ name: 'Comes' });
    await expect.poll(copied, { timeout: 60_000, interval: 500 }).toEqual(await usersNow());
    writeFileSync(join(folder, 'copy.json'), JSON.stringify({ after: 'zz-1-0-1', users: { 5: {} } }));
    expect(await copied()).toEqual(await usersNow());
  });
});

test('every example was run to its end, and is in the table of their page', () => {
  expect([...ran].sort()).toEqual([...EXAMPLES.keys()].sort());
  expect([...EXAMPLES.keys()].filter((name) => !PAGE.includes(`](${name})`))).toEqual([]);
});
