import { beforeEach, describe, expect, test, vi } from 'vitest';
import type { User } from '../../../admin/browser/data/connection.ts';
import { fieldsOf } from '../../../admin/browser/data/edit.ts';
import { bringBack, create, remove, restoreLine, save, takeBack } from '../../../admin/browser/data/write.ts';

/** The sentences of the page, and how the last thing is taken back. */
const page = vi.hoisted(() => {
  // Another file of the same worker may have loaded the modules with its own replacements.
  vi.resetModules();
  type Undo = () => Promise<void>;
  return {
    said: [] as string[],
    undo: async (): Promise<void> => undefined,
    /** The undo that is offered beside the last sentence, and the one that is not any more. */
    offered: undefined as Undo | undefined,
    dropped: undefined as Undo | undefined,
  };
});

vi.mock('../../../admin/browser/session/session.ts', () => ({
  settings: { api: '/api' },
  session: { token: async () => undefined },
  may: () => true,
}));

vi.mock('../../../admin/browser/data/state.ts', () => ({
  shared: {},
  share: () => undefined,
  say: (text: string, undo?: () => Promise<void>) => {
    page.said.push(text);
    page.offered = undo;
  },
  dropUndo: (undo: () => Promise<void>) => {
    page.dropped = undo;
  },
  tell: (text: string, _: object, undo: () => Promise<void>) => {
    page.said.push(text);
    page.undo = undo;
  },
}));

const ANN: User = { id: 7, name: 'Ann Lee', createdAt: '2026-01-01T00:00:00.000Z', status: 'active' };

/** The user as the service has her, her version, and what comes of the next write. */
let stored: User | undefined;
let version = 1;
let fate: 'answered' | 'lost' | 'refused' = 'answered';
let writes: string[] = [];

const answer = (status = 200) => Response.json(stored, { status, headers: { etag: `"${version}"` } });
const refusal = (status: number, message: string) => Response.json({ message }, { status });

function write(method: string, headers: Headers, body: object): Response {
  writes.push(method);
  if (fate === 'refused') return refusal(503, 'busy');
  const isOld = headers.has('if-match') && headers.get('if-match') !== `"${version}"`;
  if (method !== 'POST' && stored && (isOld || headers.has('if-none-match')))
    return refusal(412, 'Somebody was faster');
  if (method !== 'PUT' && method !== 'POST' && !stored) return refusal(404, 'There is no user 7');
  version++;
  const { id, createdAt } = ANN;
  if (method === 'DELETE') stored = undefined;
  else stored = { ...(method === 'PATCH' && stored), ...body, id, createdAt } as User;
  if (fate === 'lost') throw new TypeError();
  return stored ? answer(method === 'POST' ? 201 : 200) : new Response(null, { status: 204 });
}

beforeEach(() => {
  [page.said, writes, stored, version, fate] = [[], [], ANN, 1, 'answered'];
  vi.stubGlobal('location', new URL('https://users.example/api/admin'));
  vi.stubGlobal('fetch', async (_: URL, { method = '', headers, body }: RequestInit) => {
    if (method === 'GET') return stored ? answer() : refusal(404, 'There is no user 7');
    return write(method, new Headers(headers), JSON.parse(String(body)));
  });
});

const now = (user: User = ANN) => ({ user, etag: `"${version}"` });

const suspend = () => save(now(), new Map([...fieldsOf(ANN), ['status', 'suspended']]));

const UNKNOWN = 'It is not known whether it was taken back: No answer came';

describe('what was done is taken back', () => {
  test.each<[string, () => Promise<unknown>, User | undefined]>([
    ['was saved', suspend, ANN],
    ['was deleted', () => remove(now()), ANN],
    [
      'was created',
      () => {
        stored = undefined;
        return create(fieldsOf(ANN), 'key');
      },
      undefined,
    ],
  ])('once, whatever answers are lost: a user who %s', async (done, act, before) => {
    await act();
    const { undo } = page;
    fate = 'lost';
    await takeBack(undo);
    fate = 'answered';
    await takeBack(undo);
    await takeBack(undo);
    expect(page.said).toEqual([
      `Ann Lee ${done}`,
      ...['It is taken back …', UNKNOWN, 'It is taken back …', `Ann Lee ${done}: undone`],
    ]);
    expect(stored).toEqual(before);
  });

  test.each<[string, () => Promise<unknown>, User | undefined, string]>([
    [
      'has changed the user',
      suspend,
      { ...ANN, status: 'closed', age: 7 },
      'changed Status suspended → closed, Age none → 7',
    ],
    ['has deleted the user', suspend, undefined, 'deleted this user'],
    ['has brought the user back', () => remove(now()), { ...ANN, status: 'closed' }, 'brought this user back'],
  ])('or not, with what somebody else has done, and is not offered again: who %s', async (_, act, theirs, words) => {
    await act();
    stored = theirs;
    version++;
    await takeBack(page.undo);
    expect(page.said.at(-1)).toBe(`Not taken back: Somebody else has ${words} since`);
    expect([page.offered, page.dropped]).toEqual([undefined, page.undo]);
    expect(stored).toEqual(theirs);
    const number = page.said.length;
    await takeBack(page.undo);
    expect(page.said).toHaveLength(number);
  });

  test('perhaps, where the service does not know it', async () => {
    await suspend();
    fate = 'refused';
    await takeBack(page.undo);
    expect(page.said.at(-1)).toBe('It is not known whether it was taken back: busy');
    expect(page.offered).toBe(page.undo);
  });
});

test('a user who is back already is told so, and one who came back with other values is not', async () => {
  await bringBack(ANN);
  expect(page.said).toEqual(['Ann Lee is back']);
  stored = { ...ANN, status: 'closed' };
  await expect(bringBack(ANN)).rejects.toMatchObject({ status: 412 });
});

describe('the values that a change has replaced', () => {
  const line = { before: { status: 'new', age: 5 }, after: { status: 'active' } };

  test('come back, and leave all else as it is', async () => {
    stored = { ...ANN, country: 'DE' };
    await restoreLine(7, line);
    expect(stored).toEqual({ ...ANN, country: 'DE', status: 'new', age: 5 });
    expect(page.said).toEqual(['Ann Lee was saved']);
  });

  test('come in place of what they have become since, which is told', async () => {
    stored = { ...ANN, status: 'closed', country: 'DE', age: 6 };
    await restoreLine(7, line);
    expect(page.said).toEqual(['Ann Lee was saved, in place of Status closed, Age 6']);
  });

  test('are not written where they are there', async () => {
    stored = { ...ANN, status: 'new', age: 5 };
    await restoreLine(7, line);
    expect([page.said, writes]).toEqual([['Ann Lee is like that already'], []]);
  });

  test('come to nobody who is deleted', async () => {
    stored = undefined;
    await expect(restoreLine(7, line)).rejects.toMatchObject({ status: 404 });
  });
});
