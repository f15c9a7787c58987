import { expect, test } from 'vitest';
import { groupsOf, undoneBy, undoOf } from '../../../admin/browser/changes/groups.ts';
import type { Change } from '../../../admin/browser/data/connection.ts';

let version = 0;

const change = (type: Change['type'], time: string, more: Partial<Change> = {}): Change => ({
  ...{ id: 1, version: ++version, type, at: `2026-11-28T${time}:00.000Z`, by: 'ann' },
  user: { id: 1, name: 'Eve', createdAt: '2026-01-01T00:00:00.000Z' },
  ...more,
});

/** How many changes each group has, and its edit. */
const told = (changes: readonly Change[]) => groupsOf(changes).map(({ changes: { length }, edit }) => [length, edit]);

test('the changes of an edit are one group, at the place of its newest, whatever lies between them', () => {
  const edit = '0123456789abcdef';
  expect(
    told([
      change('updated', '12:00', { edit }),
      change('updated', '11:59', { by: 'bea' }),
      change('updated', '11:00', { edit }),
      change('updated', '10:00', { edit: undoOf(edit) }),
    ]),
  ).toEqual([
    [2, edit],
    [1, undefined],
    [1, `${edit}-undo`],
  ]);
});

test('the creations of one person within ten minutes are one group', () => {
  expect(
    told([
      change('created', '12:10'),
      change('created', '12:05', { by: 'bea' }),
      change('created', '12:00'),
      change('created', '11:59'),
      change('created', '11:55', { by: 'bea' }),
      change('updated', '11:54'),
      change('updated', '11:53'),
    ]),
  ).toEqual([
    [2, undefined],
    [2, undefined],
    [1, undefined],
    [1, undefined],
    [1, undefined],
  ]);
});

test('whoever created without a token is one person; what was erased is told alone', () => {
  const anybody: Partial<Change> = { by: undefined as never };
  const erased: Partial<Change> = { by: undefined as never, user: undefined as never };
  expect(
    told([
      change('created', '12:02', anybody),
      change('created', '12:01', erased),
      change('created', '12:00', erased),
      change('created', '11:59', anybody),
    ]),
  ).toEqual([
    [2, undefined],
    [1, undefined],
    [1, undefined],
  ]);
});

test('an undo names the edit that it takes back', () => {
  expect([undoneBy('0123456789abcdef-undo'), undoneBy('0123456789abcdef'), undoneBy(undefined)]).toEqual([
    '0123456789abcdef',
    undefined,
    undefined,
  ]);
});
