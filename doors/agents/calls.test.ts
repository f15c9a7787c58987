import { afterAll, describe, expect, onTestFinished, test, vi } from 'vitest';
import { read } from '../../tests/support/files.ts';
import { caller } from '../../tests/support/httpService.ts';
import { serviceForFile } from '../../tests/support/localService.ts';
import { serveForTest } from '../../tests/support/programs.ts';
import { serve } from '../serve.ts';
import door from './door.ts';

/** Calls of tools, as they are sent: the door before the service without tokens. */
const service = await serviceForFile();
const settings = { token: '', MAX_USERS: '30' };
const { url: base, stop } = await serve(door, async () => ({ ...settings, url: service.url }), 0);
afterAll(stop);

async function post(method: string, params: object, url = base) {
  const headers = { accept: 'application/json, text/event-stream', 'content-type': 'application/json' };
  const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method, params });
  const text = await (await fetch(`${url}/mcp`, { method: 'POST', headers, body })).text();
  return JSON.parse(text.slice(text.indexOf('{')).trim()).result;
}

/** The answer of a tool, or its error as a text, without the words that the SDK puts before it. */
async function call(name: string, args: unknown, url = base) {
  const { isError, content } = await post('tools/call', { name, arguments: args }, url);
  const [{ text }] = content;
  return isError ? text.replace(/^Input validation error: Invalid arguments for tool \w+: /, '') : JSON.parse(text);
}

/** Another door, before something in the place of the service. */
async function before(url: string): Promise<string> {
  const other = await serve(door, async () => ({ ...settings, url }), 0);
  onTestFinished(other.stop);
  return other.url;
}

const send = caller(service.url);

/** Users of one test, who have its name as their status. */
async function people(status: string, ...users: object[]): Promise<void> {
  const operations = users.map((user) => ({ op: 'create', user: { name: 'Ann', status, ...user } }));
  for (let i = 0; i < operations.length; i += 100)
    await send('POST', '/api/users/batch', { json: { operations: operations.slice(i, i + 100) } });
}

const EMPTY = 'an empty text or list is no filter, and would meet everybody: give it a value, or leave it out';
const KINDS =
  'must be a text, a number, true, false or a list of them, and the name of an attribute "attributes.<name>"';

describe('a filter', () => {
  test.each([
    [{ status: [] }, `filters.status: ${EMPTY}`],
    [{ status: '' }, `filters.status: ${EMPTY}`],
    [{ status: ['new', ''] }, `filters.status.1: ${EMPTY}`],
    [{ 'email.missing': '' }, `filters.email.missing: ${EMPTY}`],
    [{ q: '  ' }, `filters.q: ${EMPTY}`],
    [{ stauts: [] }, `filters.stauts: ${EMPTY}`],
    [{ status: null }, `filters.status: ${KINDS}`],
    [{ attributes: { team: 'red' } }, `filters.attributes: ${KINDS}`],
    [{ attributes: 'red' }, 'filters.attributes: is no filter: "attributes.<name>" is'],
    [{ '': 'x' }, 'filters.: is no filter'],
    [{ _status: 'new' }, 'filters._status: is no filter'],
    [{ utm_source: 'x' }, 'filters.utm_source: is no filter'],
    [{ stauts: 'new' }, '400: Unknown parameter stauts: is status meant?'],
    [[], 'filters: Invalid input: expected record, received array'],
    ['', 'filters: Invalid input: expected record, received string'],
    [null, 'filters: Invalid input: expected record, received null'],
  ])('%j is refused, for reading and for changes', async (filters, message) => {
    const change = { delete: true, everybody: true };
    const most = { edit: 'preview-a-b', maxUsers: 9, maxDollars: 1 };
    for (const [tool, args] of [
      ['find_users', { filters }],
      ['count_users', { by: 'status', filters }],
      ['preview_change', { filters, change }],
    ] as const)
      expect([tool, await call(tool, args)]).toEqual([tool, message]);
    expect(await call('apply_change', { filters, change, ...most })).toMatch(/^(?:filters|The edit is not that)/);
  });

  test('of each parameter that filters nothing is refused: it stands beside the filters', async () => {
    const { paths, components } = JSON.parse(read('docs/openapi.json'));
    const filters = new Set<string>(
      paths['/api/users/edits'].post.parameters.map(({ $ref = '', name = '' }) => name || $ref.split('/').at(-1)),
    );
    const lists = ['/api/users', '/api/users/counts', '/api/users/cursor'].map((path) => paths[path].get.parameters);
    const names = lists.flat().flatMap(({ $ref = '', ...own }) => {
      const { in: place, name } = $ref ? components.parameters[$ref.split('/').at(-1)] : own;
      return place === 'query' && !filters.has($ref ? $ref.split('/').at(-1) : name) ? [name as string] : [];
    });
    expect(new Set(names)).toEqual(new Set(['page', 'size', 'sort', 'fields', 'after', 'by', 'cursor']));
    for (const name of names)
      expect(await call('find_users', { filters: { [name]: '1' } })).toBe(
        `filters.${name}: is no filter: it belongs beside the filters, if the tool has it`,
      );
  });

  test('has values of each kind, also in a list', async () => {
    await people('kinds', { age: 3, attributes: { vip: true, floor: 3 } }, { age: 4 }, { age: 5 });
    const { users } = await call('find_users', { filters: { status: 'kinds' }, sort: 'age', fields: 'age' });
    const [{ id }, other] = users;
    for (const [filters, total] of [
      [{ id: [id, String(other.id)] }, 2],
      [{ age: [3, 5] }, 2],
      [{ 'attributes.vip': true, 'attributes.floor': 3 }, 1],
      [{ 'attributes.vip.missing': true }, 2],
    ] as const)
      expect(await call('find_users', { filters: { status: 'kinds', ...filters } })).toMatchObject({ total });
  });
});

describe('an argument', () => {
  test.each([
    ['find_users', { filter: { status: 'new' } }, 'Unrecognized key: "filter"'],
    ['find_users', { sort: '' }, 'sort: is blank: leave it out'],
    ['find_users', { fields: ' ' }, 'fields: is blank: leave it out'],
    ['find_users', { sort: 'created_at' }, /^400: .*created_at/],
    ['count_users', { by: '' }, 'by: is blank: leave it out'],
    ['get_user', { id: 7, at: '' }, 'at: is blank: leave it out'],
    ['get_user', { id: '' }, 'id: must be an integer'],
    ['get_user', { id: [] }, 'id: must be an integer'],
    ['get_user', { id: '../counts?by=age' }, 'id: must be an integer'],
    ['user_history', { before: '' }, /^before: /],
    ['preview_change', { change: {} }, /^400: .*must have patch, remove or add, or "delete": true/],
    ['preview_change', { change: { patch: {}, pach: { age: 1 } } }, 'change: Unrecognized key: "pach"'],
    [
      'preview_change',
      { change: { add: { attributes: { tags: [] } }, everybody: true } },
      /^400: .*\/add\/attributes\/tags/,
    ],
    ['preview_change', { change: { patch: { age: '30' }, everybody: true } }, /^400: .*\/age: Age must be positive/],
    ['preview_change', { change: '' }, 'change: Invalid input: expected object, received string'],
    ['apply_change', { change: { delete: true }, maxUsers: 1, maxDollars: 1 }, 'edit: must be that of preview_change'],
    ['undo_change', { edit: 'a', maxUsers: 1, maxDollars: 1 }, 'preview: must be that of preview_undo'],
    ['undo_change', { edit: 'a', preview: 'b', maxDollars: 1 }, /^maxUsers: /],
    ['preview_undo', { edit: '' }, /^edit: /],
  ])('of %s that is wrong is named: %j', async (tool, args, message) => {
    expect(await call(tool, args)).toEqual(typeof message === 'string' ? message : expect.stringMatching(message));
  });

  test.each([
    ['{"filters": {"__proto__": "new"}}', '__proto__ is no name'],
    ['{"filters": {"id": 9007199254740993}}', '9007199254740993 would be rounded: send it as a text'],
    [
      '{"filters": {"attributes.score": 0.12345678901234567891}}',
      '0.12345678901234567891 would be rounded: send it as a text',
    ],
  ])('that would be read as another one is refused: %s', async (args, message) => {
    const headers = { accept: 'application/json, text/event-stream', 'content-type': 'application/json' };
    const params = `{"name": "find_users", "arguments": ${args}}`;
    const body = `{"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": ${params}}`;
    const response = await fetch(`${base}/mcp`, { method: 'POST', headers, body });
    expect(await response.text()).toContain(message);
  });

  test.each(['0.10000000000000001', '0.1', '1e300', '-0', '9007199254740991', '1.50'])(
    'that is a number is taken as it is written: %s',
    async (text) => {
      const headers = { accept: 'application/json, text/event-stream', 'content-type': 'application/json' };
      const params = `{"name": "find_users", "arguments": {"filters": {"attributes.score": ${text}}}}`;
      const body = `{"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": ${params}}`;
      const response = await fetch(`${base}/mcp`, { method: 'POST', headers, body });
      expect(await response.text()).toContain('total');
    },
  );

  test('that is an id may be a text', async () => {
    await people('text', {});
    const { users } = await call('find_users', { filters: { status: 'text' } });
    const id = String(users[0].id);
    expect(await call('get_user', { id })).toMatchObject({ id: users[0].id, status: 'text' });
    expect(await call('user_history', { id })).toMatchObject([{ type: 'created' }]);
  });
});

describe('a preview', () => {
  test('is that of its call whatever the order of its members', async () => {
    await people('order', { country: 'DE' });
    const patch = { status: 'ordered', attributes: { a: 1, b: 2 } };
    const { edit } = await call('preview_change', { filters: { status: 'order', country: 'DE' }, change: { patch } });
    const turned = { attributes: { b: 2, a: 1 }, status: 'ordered' };
    const asked = { maxDollars: 1, change: { patch: turned }, filters: { country: 'DE', status: 'order' }, edit };
    expect(await call('apply_change', { ...asked, maxUsers: 1 })).toMatchObject({ changed: 1, left: 0 });
  });
});

test('a preview with a bound that is a date says how many values were none', async () => {
  await people('seen', ...['2026-01-01', '01.11.2026', 'never'].map((seen) => ({ attributes: { seen } })));
  const filters = { status: 'seen', 'attributes.seen.lt': '-P1D' };
  const preview = await call('preview_change', { filters, change: { delete: true } });
  expect(preview).toMatchObject({ total: 1, notDates: 2 });
  for (const bound of ['P180D', 'now-180d', '−P180D'])
    expect(await call('find_users', { filters: { 'attributes.seen.lt': bound } })).toMatch(
      /^400: .*attributes\.seen\.lt/,
    );
});

describe('an undo', () => {
  /** An edit of users, who have been changed. */
  async function edited(status: string, users: number): Promise<string> {
    await people(status, ...Array.from({ length: users }, () => ({ country: 'DE' })));
    const wanted = { filters: { status }, change: { patch: { country: 'KE' } } };
    const { edit } = await call('preview_change', wanted);
    return (await call('apply_change', { ...wanted, edit, maxUsers: 100, maxDollars: 1 })).edit;
  }

  const inKenya = async (status: string) => (await call('find_users', { filters: { status, country: 'KE' } })).total;

  test('is previewed, counts first, and obeys the limits of the agent and of the deployer', async () => {
    const edit = await edited('undone', 12);
    const { preview, ...shown } = await call('preview_undo', { edit });
    expect(shown).toMatchObject({ total: 12, dollars: expect.any(Number), limits: { users: 30, dollars: 1 } });
    const most = { edit, preview, maxUsers: 12, maxDollars: 1 };
    const beyond = ` users for ${shown.dollars} dollars are more than `;
    expect(await call('undo_change', { ...most, maxUsers: 10 })).toBe(`12${beyond}10 for 1, the limit`);
    expect(await call('undo_change', { ...most, maxDollars: 0 })).toBe(`12${beyond}12 for 0, the limit`);
    const strict = await serve(door, async () => ({ ...settings, url: service.url, MAX_USERS: '11' }), 0);
    onTestFinished(strict.stop);
    expect(await call('undo_change', most, strict.url)).toBe(`12${beyond}11 for 1, the limit`);
    expect(await inKenya('undone')).toBe(12);
    expect(await call('undo_change', most)).toMatchObject({ edit: `${edit}-undo`, changed: 12, left: 0 });
    expect(await inKenya('undone')).toBe(0);
  });

  test('of an undo is refused, with and without a preview: it would make the change again', async () => {
    const edit = await edited('again', 2);
    const { preview } = await call('preview_undo', { edit });
    await call('undo_change', { edit, preview, maxUsers: 2, maxDollars: 1 });
    const again = `${edit}-undo is an undo: to take it back would make its change again. Preview that change instead`;
    expect(await call('preview_undo', { edit: `${edit}-undo` })).toBe(again);
    const asked = { edit: `${edit}-undo`, preview, maxUsers: 2, maxDollars: 1 };
    expect(await call('undo_change', asked)).toBe(again);
    expect(await inKenya('again')).toBe(0);
  });

  test('without its own preview is refused', async () => {
    const edit = await edited('other', 1);
    const { preview } = await call('preview_undo', { edit: await edited('another', 1) });
    for (const wrong of [preview, 'preview-a-b', edit])
      expect(await call('undo_change', { edit, preview: wrong, maxUsers: 9, maxDollars: 1 })).toBe(
        'The preview is not that of preview_undo with this edit',
      );
    expect(await inKenya('other')).toBe(1);
  });

  test('of an edit that is none says so', async () => {
    expect(await call('preview_undo', { edit: '4f1d0c7a92be3865' })).toMatch(/^404: There is no edit 4f1d0c7a92be3865/);
  });

  test('is not sent to an older stage, which would undo without a preview', async () => {
    const asked: string[] = [];
    const url = await before(
      await serveForTest((request, response) => {
        asked.push(request.url ?? '');
        response.writeHead(404, { 'content-type': 'application/json' }).end('{"status":404,"message":"No edit"}');
      }),
    );
    const message = 'This stage is older than the door, and cannot preview an undo';
    expect(await call('preview_undo', { edit: '4f1d0c7a92be3865' }, url)).toBe(message);
    expect(asked).toEqual(['/api/users/edits/0000000000000000/undo?']);
  });
});

describe('an answer', () => {
  test('of counts that is too long has the largest groups, and says how many are left out', async () => {
    const text = 'x'.repeat(450);
    const others = Array.from({ length: 119 }, (_, i) => ({ attributes: { many: `${i} ${text}` } }));
    await people('many', ...others, ...Array.from({ length: 3 }, () => ({ attributes: { many: 'most' } })));
    const { total, counts, more } = await call('count_users', { by: 'attributes.many', filters: { status: 'many' } });
    expect([total, counts[0]]).toEqual([122, { 'attributes.many': 'most', count: 3 }]);
    expect(counts.length).toBeGreaterThan(70);
    const left = 120 - counts.length;
    expect(more).toBe(
      `Of 120 groups these ${counts.length} are the largest, and ${left} are left out. Filters make them fewer`,
    );
  });

  test('of a change with many who failed names the first of them', async () => {
    await people('failing', ...Array.from({ length: 25 }, () => ({ attributes: { tags: 'none' } })));
    const wanted = { filters: { status: 'failing' }, change: { add: { attributes: { tags: ['vip'] } } } };
    const { edit } = await call('preview_change', wanted);
    const { failed, more, ...rest } = await call('apply_change', { ...wanted, edit, maxUsers: 25, maxDollars: 1 });
    expect([failed.length, more]).toEqual([20, '25 have failed, of whom these are the first 20']);
    expect(rest).toMatchObject({ changed: 0, left: 0 });
  });

  test.each([
    ['a page', 200, { 'content-type': 'text/html' }, '<html>Ann Lee</html>', '200: not an answer of the service'],
    ['a page with an error', 404, {}, '<html>Ann Lee</html>', '404: not an answer of the service'],
    ['other JSON', 200, {}, '{"items": ["Ann Lee"]}', '200: not an answer of the service'],
    ['a text', 200, {}, '"Ann Lee"', '200: not an answer of the service'],
    ['a redirect', 307, { location: 'https://elsewhere.example/' }, '', /^307: the address of the service redirects/],
  ])('that is %s is none of the service, and is not quoted', async (_, status, headers, body, message) => {
    const log = vi.spyOn(console, 'error').mockImplementation(() => {});
    const url = await before(await serveForTest((_request, response) => response.writeHead(status, headers).end(body)));
    for (const [tool, args] of [
      ['find_users', {}],
      ['count_users', { by: 'status' }],
      ['get_user', { id: 7 }],
      ['user_history', {}],
      ['user_history', { id: 7 }],
      ['preview_change', { change: { delete: true } }],
    ] as const) {
      const said = await call(tool, args, url);
      expect(said).toEqual(typeof message === 'string' ? message : expect.stringMatching(message));
    }
    expect(log).not.toHaveBeenCalled();
    log.mockRestore();
  });

  test('has the advice of the service beside it', async () => {
    const page = '{"content": [], "totalElements": 0, "totalPages": 0}';
    const headers = { 'content-type': 'application/json', advice: 'A comma is part of the value' };
    const url = await before(await serveForTest((_, response) => response.writeHead(200, headers).end(page)));
    const found = { total: 0, users: [], more: 'No more', advice: 'A comma is part of the value' };
    expect(await call('find_users', { filters: { country: 'DE,FR' } }, url)).toEqual(found);
  });
});

describe('the texts of tools', () => {
  type Tool = {
    name: string;
    description: string;
    inputSchema: { properties: Record<string, { description: string }> };
  };
  const toolsAt = async (url = base): Promise<Map<string, Tool>> =>
    new Map((await post('tools/list', {}, url)).tools.map((tool: Tool) => [tool.name, tool]));

  test('name the fields, the attributes in use, where a missing value sorts, and how to learn codes', async () => {
    await people('texts', { attributes: { team: 'red', floor: 3, tags: ['a'], vip: true } });
    const tools = await toolsAt();
    const find = tools.get('find_users');
    expect(find?.description).toMatch(
      /: .*floor \(number\).*tags \(list of texts(?: or string)?\).*team \(string\).*vip \(boolean\)/,
    );
    const { filters, sort } = find?.inputSchema.properties ?? {};
    expect(sort?.description).toContain('A missing value is last, and with desc first');
    expect(filters?.description).toContain('count_users by the field lists those in use');
    const { User } = JSON.parse(read('docs/openapi.json')).components.schemas;
    const fields = Object.keys(User.properties).filter((name) => name !== 'attributes');
    const [, named = ''] = /Fields: (.*), attributes\.<name>\./.exec(filters?.description ?? '') ?? [];
    expect(named.split(', ').sort()).toEqual(fields.sort());
  });

  test('are there also where nobody may see the attributes, or lists fail', async () => {
    const url = await before(
      await serveForTest((_, response) => response.writeHead(503).end('{"status":503,"message":"Later"}')),
    );
    const { tools } = (await post('tools/list', {}, url).catch(() => undefined)) ?? {};
    expect(tools).toBeUndefined();
    const refusing = await before(
      await serveForTest((_, response) => response.writeHead(403).end('{"status":403,"message":"No"}')),
    );
    expect((await toolsAt(refusing)).get('find_users')?.description).toBe(
      'Finds users: the exact total, and a page of users',
    );
  });
});
