import { expect, test } from 'vitest';
import { handlerCalls } from '../../support/calls.ts';
import { logOfEachTest } from '../../support/logs.ts';
import { serviceOn } from '../../support/service.ts';

logOfEachTest();

const USERS = 1_000;
const SIZE = 100;

/** Users who are deleted before each page but the first. */
const DELETED = 5;

interface Row {
  id: number;
}

/** Reads all users in pages of a kind while others are deleted. Answers how many users who stay were lost, and how many had been read when they were deleted. */
async function walk(kind: 'page' | 'after') {
  const service = await serviceOn.embedded();
  const users = await service.users.createMany(Array.from({ length: USERS }, (_, n) => ({ name: `User ${n}` })));
  const call = await handlerCalls(service);
  const left = new Set(users.map(({ id }) => id));
  const read = new Set<number>();
  let readBefore = 0;
  let path: string | undefined = `/api/users?size=${SIZE}&${kind}=${kind === 'page' ? 0 : ''}`;
  for (let page = 1; path !== undefined; page++) {
    const { body, headers } = await call('GET', path);
    const rows = (kind === 'page' ? (body as { content: Row[] }).content : body) as Row[];
    for (const { id } of rows) read.add(id);
    const [, next]: RegExpExecArray | [] = /<([^>]*)>; rel="next"/.exec(headers.get('link') ?? '') ?? [];
    path = next;
    if (path === undefined) break;
    for (const id of [...left].filter((_, n) => n % 97 === page).slice(0, DELETED)) {
      if (read.has(id)) readBefore++;
      left.delete(id);
      expect((await call('DELETE', `/api/users/${id}`)).status).toBe(204);
    }
  }
  return { lost: [...left].filter((id) => !read.has(id)).length, readBefore };
}

test('a walk loses nobody while others are deleted, and pages lose a user for each one deleted whom they had read', async () => {
  expect((await walk('after')).lost).toBe(0);
  const { lost, readBefore } = await walk('page');
  expect(readBefore).toBeGreaterThan(10);
  expect(lost).toBe(readBefore);
});
