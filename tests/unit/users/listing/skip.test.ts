import { describe, expect, test } from 'vitest';
import { USERS_INDEXES } from '../../../../lib/users/indexes.ts';
import { padded } from '../../../../lib/users/keys.ts';
import { skipIds } from '../../../../lib/users/listing/walk.ts';
import { isWithin, keyIn, type Range, type Span } from '../../../../lib/users/lists.ts';
import type { User } from '../../../../lib/users/user.ts';

const index = (name: string) => USERS_INDEXES.find((each) => each.name === name) as (typeof USERS_INDEXES)[number];
const span = (name: string): Span => ({ list: { index: index(name), partition: 'user' } });
const user = (id: number, status?: string): User => ({ id, version: 1, name: 'Ann', ...(status && { status }) });
const ids = (from?: number, to?: number): Range => ({
  ...(from !== undefined && { from: padded(from) }),
  ...(to !== undefined && { to: padded(to) }),
});

/** Of some users, the ones who are left to read after a page. */
function left(page: User[], range: Range, direction: 'asc' | 'desc', name = 'byStatus') {
  const rest = skipIds(span(name), page, range, direction);
  const everybody = ['on', 'off', 'ON', undefined].flatMap((status) => [1, 2, 5, 7, 9].map((id) => user(id, status)));
  return (
    rest &&
    everybody.filter((each) => isWithin(rest, keyIn(index(name), each))).map(({ id, status = '-' }) => `${status}${id}`)
  );
}

describe('a skip scan', () => {
  test('goes on where the range begins, in the same text', () => {
    expect(left([user(1, 'on'), user(2, 'on')], ids(5, 8), 'asc')).toEqual([
      ...['on5', 'on7', 'on9'],
      ...['-1', '-2', '-5', '-7', '-9'],
    ]);
    expect(left([user(9, 'on'), user(8, 'on')], ids(5, 8), 'desc')).toEqual([
      ...['on1', 'on2', 'on5', 'on7'],
      ...['off1', 'off2', 'off5', 'off7', 'off9'],
      ...['ON1', 'ON2', 'ON5', 'ON7', 'ON9'],
    ]);
  });

  test('goes on with the next text after the range', () => {
    expect(left([user(8, 'off'), user(9, 'off')], ids(5, 8), 'asc')?.slice(0, 3)).toEqual(['on1', 'on2', 'on5']);
    expect(left([user(2, 'ON'), user(1, 'ON')], ids(5, 8), 'desc')).toEqual(['off1', 'off2', 'off5', 'off7', 'off9']);
  });

  test('skips nothing within the range, between texts, in a list by id, or on an empty page', () => {
    expect(left([user(5, 'on'), user(6, 'on')], ids(5, 8), 'asc')).toBeUndefined();
    expect(left([user(9, 'off'), user(1, 'on')], ids(5, 8), 'asc')).toBeUndefined();
    expect(left([user(1), user(2)], ids(5, 8), 'asc', 'byId')).toBeUndefined();
    expect(left([], ids(5, 8), 'asc')).toBeUndefined();
  });

  test('handles a range that is open at one end', () => {
    expect(left([user(1, 'on')], ids(5), 'asc')?.[0]).toBe('on5');
    expect(left([user(9, 'on')], ids(undefined, 8), 'asc')?.[0]).toBe('-1');
    expect(left([user(9, 'on')], ids(5), 'asc')).toBeUndefined();
  });
});
