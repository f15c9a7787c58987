import { createHash } from 'node:crypto';
import { isDuration, parseMoment } from '../../lib/http/parameters/moments.ts';
import { creationTime, firstIdAt, TIES } from '../../lib/users/ids.ts';
import type { UserFields } from '../../lib/users/user.ts';

/** The fields that tell people apart. The others may change between two imports. */
const PERSON = ['externalId', 'email', 'name'] as const;

/** Ids of a millisecond that are tried for a person: one for each two bytes of a digest. */
const TRIES = 16;

/** Unix time from 2020 to 2286, as databases and issuers write it: in seconds, some with a fraction, or in milliseconds. */
const SECONDS = /^\d{10}(?:\.\d+)?$/;
const MILLISECONDS = /^\d{13}$/;

function timeOf(text: string, now: number): number | undefined {
  if (MILLISECONDS.test(text)) return Number(text);
  if (SECONDS.test(text)) return Math.round(Number(text) * 1_000);
  // A duration before now is another moment in the next run.
  return isDuration(text) ? undefined : parseMoment(text, now);
}

/**
 * Reads when a user was created.
 *
 * @param column is named in a flaw
 * @returns Unix milliseconds, or why no id can carry it
 */
export function readCreation(value: unknown, column: string, now: number): number | string {
  const text = String(value ?? '').trim();
  if (text === '') return `${column} is missing: --created needs it`;
  const time = timeOf(text, now);
  if (time === undefined)
    return `${column} must be a date-time of RFC 3339, a date, or Unix time in seconds or milliseconds, such as 2026-11-01T09:30:00Z, 2026-11-01 or 1793525400`;
  if (time < creationTime(0)) return `${column} is before 2020, where ids begin`;
  return time > now ? `${column} is in the future` : Math.floor(time);
}

/** The ids that a person may get, the first one first: the same in every run, wherever the line is. */
export function idsFor(fields: UserFields, time: number): readonly number[] {
  const person = JSON.stringify(PERSON.map((field) => fields[field]));
  const digest = createHash('sha256').update(person).digest();
  // 0 is no id.
  const tie = (index: number) => 1 + (digest.readUInt16BE(2 * index) % (TIES - 1));
  return Array.from({ length: TRIES }, (_, index) => firstIdAt(time) + tie(index));
}

/**
 * Whether the user with an id is surely another person than one who may have it, too: nothing of them is equal, and the id belongs to
 * that user. Otherwise it may be the same person, who has changed.
 */
export const isAnother = (there: UserFields, wanted: UserFields, id: number): boolean =>
  PERSON.every((field) => there[field] === undefined || there[field] !== wanted[field]) &&
  idsFor(there, creationTime(id)).includes(id);
