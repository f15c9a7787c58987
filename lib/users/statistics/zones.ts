import { MISSING, padded, SEPARATOR, sortText } from '../keys.ts';
import type { User, UserFields } from '../user.ts';

/**
 * Zones cut the order of a field into a few dozen consecutive pieces. The row that counts a status and country also
 * remembers in which zones its users are, so that a walk for some of them can leave out the rest: users of one country
 * tend to have names of one script, and of one status to be of an age. Zones only ever join a row, which costs nothing
 * beside the count; a zone too many costs a read, never a user.
 */
export const ZONED_FIELDS = ['name', 'email', 'age', 'firstName', 'lastName'] as const;

export type ZonedField = (typeof ZONED_FIELDS)[number];

export type Zones = { readonly [Field in ZonedField]: ReadonlySet<number> };

export const isZoned = (property: string): property is ZonedField => ZONED_FIELDS.some((field) => field === property);

/** After all others, as users without a value are. */
const MISSING_ZONE = 64;

const YEARS_PER_ZONE = 10;
const LAST_AGE_ZONE = 63;

const FIRST_LETTER = 0x61;

/** Of the first code point: what precedes `a`, the letters, then scripts up to U+0FFF, blocks up to U+FFFF, and planes. */
function zoneOfCodePoint(codePoint: number): number {
  if (codePoint < FIRST_LETTER) return 0;
  if (codePoint < 0x1000) return 1 + (codePoint >> 8);
  return codePoint < 0x10000 ? 17 + (codePoint >> 12) : 33 + (codePoint >> 16);
}

/** The first code point of a zone; that of the next number is where it ends. */
function firstCodePoint(zone: number): number {
  if (zone === 1) return FIRST_LETTER;
  if (zone <= 17) return Math.max(zone - 1, 0) << 8;
  return zone <= 33 ? (zone - 17) << 12 : (zone - 33) << 16;
}

export function zoneOf(user: UserFields, field: ZonedField): number {
  const value = user[field];
  if (value === undefined) return MISSING_ZONE;
  if (typeof value === 'number') return Math.min(Math.floor(value / YEARS_PER_ZONE), LAST_AGE_ZONE);
  return zoneOfCodePoint(sortText(user as User, field).codePointAt(0) ?? 0);
}

/** The order keys between which a zone lies; no key is equal to either. */
function boundsOfZone(zone: number, field: ZonedField): { first: string; last: string } {
  if (zone === MISSING_ZONE) return { first: MISSING, last: `${MISSING}\u{10FFFF}` };
  if (field === 'age') {
    const last = zone === LAST_AGE_ZONE ? MISSING : padded((zone + 1) * YEARS_PER_ZONE);
    return { first: padded(zone * YEARS_PER_ZONE), last };
  }
  const end = firstCodePoint(zone + 1);
  return {
    first: zone === 0 ? SEPARATOR : String.fromCodePoint(firstCodePoint(zone)),
    last: end > 0x10ffff ? MISSING : String.fromCodePoint(end),
  };
}

/** The stretches of order keys that some zones cover, ascending; neighbours are one stretch. */
export function stretchesOf(zones: ReadonlySet<number>, field: ZonedField): { first: string; last: string }[] {
  const stretches: { first: string; last: string }[] = [];
  for (const zone of [...zones].sort((a, b) => a - b)) {
    const bounds = boundsOfZone(zone, field);
    const previous = stretches.at(-1);
    if (previous?.last === bounds.first) previous.last = bounds.last;
    else stretches.push(bounds);
  }
  return stretches;
}
