import { expect, test } from 'vitest';
import { refusalOfEvents } from '../../../../lib/tooling/deploy/eventBus.ts';

test.each([
  [true, 7, undefined],
  [false, 7, undefined],
  [false, 0, undefined],
  [
    true,
    0,
    'Stage x has events, but keeps no changes to make them from: set its historyDays to some days, or its events to false.',
  ],
])('a stage may have events (%s) if it keeps changes for some days (%d)', (enabled, historyDays, refusal) => {
  expect(refusalOfEvents('x', { enabled, historyDays })).toBe(refusal);
});
