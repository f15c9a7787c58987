import { expect, test } from 'vitest';
import { refusalOfEvents } from '../../../../lib/tooling/deploy/eventBus.ts';

test('a stage has events only if it keeps changes', () => {
  expect(refusalOfEvents('x', { enabled: true, historyDays: 7 })).toBeUndefined();
  expect(refusalOfEvents('x', { enabled: true, historyDays: 0 })).toBe(
    'Stage x has events, but keeps no changes to make them from: set its historyDays to some days, or its events to false.',
  );
});
