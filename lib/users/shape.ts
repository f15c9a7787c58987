/** The form of users in an index. */
import type { Shape } from '../search/index.ts';
import { COLUMNS } from './columns.ts';
import { PERIOD_NAMES, periodOf } from './counted.ts';
import { dayIn } from './dates.ts';
import { TIES } from './ids.ts';
import { USER_ROWS } from './rows.ts';
import { WORD_FIELDS } from './user.ts';

const DAY_MS = 86_400_000;

function dayOf(text: string): number | undefined {
  const bytes = Buffer.from(text);
  return dayIn(bytes, 0, bytes.length);
}

const nameIn = (period: (typeof PERIOD_NAMES)[number]) => (text: string) => {
  const day = dayOf(text);
  return day === undefined ? undefined : periodOf(period, day);
};

export const USER_SHAPE: Shape = {
  kinds: COLUMNS,
  per: TIES,
  // Both begin with a midnight.
  days: { id: TIES * DAY_MS, updatedAt: DAY_MS },
  words: WORD_FIELDS,
  periods: Object.fromEntries(PERIOD_NAMES.map((name) => [name, nameIn(name)])),
  isDate: (text) => dayOf(text) !== undefined,
  write: USER_ROWS.write,
  read: USER_ROWS.read,
};
