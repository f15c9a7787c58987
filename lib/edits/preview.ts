import { type EditPreview, MAX_EXAMPLES } from '../../schemas/edits.ts';
import { UNIT_PRICES } from '../../schemas/prices.ts';
import { ServiceError } from '../ground/index.ts';
import type { Database } from '../users/database.ts';
import type { ListedUser, User, UserFields } from '../users/user.ts';
import { hasFields, pickFields } from '../users/user.ts';
import { unitsOfChange, unitsOfReading } from './price.ts';

/** All fields of a user after the edit. @throws {ServiceError} 400 if no user could have them */
export type Apply = (user: User) => UserFields;

interface Example {
  before: User;
  /** Undefined: it would be deleted. */
  after: User | undefined;
}

export interface Preview extends Omit<EditPreview, 'examples'> {
  /** The first who would be changed. */
  examples: Example[];
}

/** So many users are looked at, evenly among all. */
const LOOKED_AT = 20_000;

/** Lists know no versions, which have a few digits. */
const VERSION = 100;

/** What becomes of a user: undefined if it stays as it is, or cannot be changed so. */
function changeOf(before: User, apply: Apply | undefined): Example | undefined {
  if (!apply) return { before, after: undefined };
  try {
    const fields = pickFields(apply(before));
    return hasFields(before, fields)
      ? undefined
      : { before, after: { ...fields, id: before.id, version: VERSION + 1 } };
  } catch (error) {
    if (!(error instanceof ServiceError)) throw error;
    return undefined;
  }
}

/** Digits that an estimate is good for. */
const rounded = (dollars: number): number => Number(dollars.toPrecision(3));

/** What an edit would do to some users, and cost. One read of the journal. */
export function previewOf(
  { uniqueEmails = false }: Pick<Database, 'uniqueEmails'>,
  { users, total }: { users: Iterable<ListedUser>; total: number },
  apply: Apply | undefined,
): Preview {
  const examples: Example[] = [];
  const step = Math.max(1, Math.ceil(total / LOOKED_AT));
  let [place, read, write] = [0, 0, 0];
  for (const user of users) {
    if (place++ % step > 0) continue;
    const before = { ...user, version: VERSION };
    const change = changeOf(before, apply);
    const units = change ? unitsOfChange(before, change.after, uniqueEmails) : unitsOfReading(before);
    read += units.read;
    write += units.write;
    if (change && examples.length < MAX_EXAMPLES) examples.push(change);
  }
  const looked = Math.max(1, Math.ceil(total / step));
  const units = { read: Math.round((read * total) / looked) + 1, write: Math.round((write * total) / looked) };
  const dollars = units.read * UNIT_PRICES.readUnit + units.write * UNIT_PRICES.writeUnit;
  return { total, examples, units, dollars: rounded(dollars) };
}
