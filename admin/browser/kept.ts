import { may, settings } from './session.ts';
import { DAY_MS, dateOf } from './time.ts';

/** The last day on which a change of some moment can be taken back: "28 Dec 2026". Undefined if nothing is kept, or this user may not. */
export const keptUntil = (at = Date.now()): string | undefined =>
  settings.historyDays > 0 && may('users:audit') ? dateOf(at + settings.historyDays * DAY_MS) : undefined;
