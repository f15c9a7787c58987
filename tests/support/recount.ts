import { FIELDS, type FieldRules, type FieldsWith } from '../../lib/users/fields.ts';
import { hash48 } from '../../lib/users/hash.ts';
import { type JournalEntry, toEntry } from '../../lib/users/journal/entry.ts';
import { toHead } from '../../lib/users/journal/head.ts';
import { unpack } from '../../lib/users/tree/pack.ts';
import type { User } from '../../lib/users/user.ts';
import { compare } from './fake/expressions.ts';
import { folded } from './folding.ts';

type Item = Record<string, unknown>;

/** Counts by map, key and bucket, which are the name as JSON. Zeros are left out. */
export type Counts = Record<string, number>;

const MISSING = '\u{10FFFF}\u0002';

const mark = (value: string | undefined) =>
  value === undefined ? MISSING : value.replace(/^\u{10FFFF}/u, '\u{10FFFF}\u0001');
const sortMark = (value: string | undefined) => (value === undefined ? MISSING : mark(folded(value)));

interface Place {
  /** Map, key and bucket as JSON. */
  id: string;
  map: string;
  key: string;
}

const placeOf = (map: string, key: string, bucket: string): Place => ({
  id: JSON.stringify([map, key, bucket]),
  map,
  key,
});

const toPlaces = (places: readonly string[][]): Place[] =>
  places.map(([map = '', key = '', bucket = '']) => placeOf(map, key, bucket));

type Exact = FieldsWith<{ filter: 'exact' }>;

/** The fields whose values are counted, by the contract's own list, with their names in stored users. */
const EXACT = Object.entries<FieldRules>(FIELDS).flatMap(([field, { filter, short }]) =>
  filter === 'exact' ? [{ field: field as Exact, short }] : [],
);

/** Where a last name is counted, written as plainly as possible. */
function namePlaces({ lastName, ...user }: Partial<User>): Place[] {
  const characters = Array.from(folded(lastName ?? ''));
  const values = EXACT.map(({ field }) => mark(user[field]));
  const suffixes = characters.map((first, i) => {
    const [before, suffix] = [characters.slice(0, i).join(''), characters.slice(i).join('')];
    const key = [suffix, before, ...values].join('\0');
    const all = values.join('\0');
    const isLong = Buffer.byteLength(key) > 1_020;
    const place = isLong ? [[suffix, before, hash48(all).toString(36)].join('\0'), all] : [key, 'n'];
    return [`names:${first}`, ...place];
  });
  const letters = [...new Set(characters)].flatMap((letter) => [
    ['letters', letter, 'n'],
    ...EXACT.map(({ field }) => [`letters:${field}`, `${mark(user[field])}\0${letter}`, 'n']),
  ]);
  return toPlaces([...suffixes, ...letters]);
}

const subsetsOf = <Value>(values: readonly Value[]): Value[][] =>
  values.reduce<Value[][]>((subsets, value) => subsets.concat(subsets.map((some) => [...some, value])), [[]]);

/** Where a user is counted in totals: by each field, within any values of the others. */
function totalsPlaces(user: Partial<User>): Place[] {
  const names = EXACT.map(({ field }) => field);
  return names.flatMap((field) =>
    subsetsOf(names.filter((other) => other !== field)).map((within) => {
      const key = [...within.map((other) => mark(user[other])), sortMark(user[field]), mark(user[field])];
      return placeOf(`totals:${[...within, field]}`, key.join('\0'), 'n');
    }),
  );
}

/** Remembers what was made of an item. An item is replaced, never changed, so it stays right. */
function onceFor<Source extends object, Made>(make: (source: Source) => Made): (source: Source) => Made {
  const made = new WeakMap<Source, { value: Made }>();
  return (source) => {
    const known = made.get(source) ?? { value: make(source) };
    made.set(source, known);
    return known.value;
  };
}

const placesOf = (user: Partial<User>): Place[] => [...totalsPlaces(user), ...namePlaces(user)];
const placesOfUser = onceFor(placesOf);

/** A user's fields as stored. */
type Stored = Readonly<Record<string, string>>;

const placesOfStored = onceFor((stored: Stored) => {
  const values = EXACT.flatMap(({ field, short }) => (stored[short] ? [[field, stored[short]]] : []));
  const user: Partial<User> = { ...Object.fromEntries(values), ...(stored.l !== undefined && { lastName: stored.l }) };
  return placesOf(user);
});

const entryOf = onceFor<Item, JournalEntry>(toEntry);

/** The counts of a node. */
const contentsOf = onceFor(({ pk, data }: Item) => {
  const contents: { id: string; key: string; n: number }[] = [];
  const map = String(pk).replace(/^g[^:]*:/, '');
  for (const { key, counts } of unpack(data as Uint8Array)) {
    for (const [bucket, n] of counts) {
      contents.push({ id: placeOf(map, key, bucket).id, key, n });
    }
  }
  return contents;
});

function add(counts: Counts, place: string, n: number): void {
  const sum = (counts[place] ?? 0) + n;
  if (sum === 0) delete counts[place];
  else counts[place] = sum;
}

/** The counts that the users themselves give. */
export function recountOf(users: readonly Item[]): Counts {
  const counts: Counts = {};
  for (const { f } of users) for (const { id } of placesOfStored(f as Stored)) add(counts, id, 1);
  return counts;
}

/** The counts that the statistics and the journal give together. */
export function countsOf(directory: readonly Item[]): { counts: Counts; total: number; epoch: number } {
  const of = (pk: string) =>
    directory.filter((item) => item.pk === pk).sort((a, b) => compare(String(a.sk), String(b.sk)));
  const journal = of('journal');
  const head = toHead(journal.find(({ format }) => format !== undefined));
  const entries = journal.filter(({ format }) => format === undefined).map(entryOf);
  const batch = new Set(head.batch);
  const isPast = entries.filter(({ sk }) => batch.has(sk)).length < batch.size;
  const pages = new Map<string, Item[]>();
  for (const item of directory) {
    const prefix = `g${head.generation}:`;
    const map = String(item.pk).slice(prefix.length);
    const isOwn = String(item.pk).startsWith(prefix) && /^(totals:|names:|letters)/.test(map);
    if (isOwn && !pages.has(map)) pages.set(map, of(String(item.pk)));
  }
  const contents = (map: string) =>
    (pages.get(map) ?? []).flatMap((page, i, items) => {
      const end = items[i + 1]?.sk;
      return contentsOf(page).filter(({ key }) => end === undefined || compare(key, String(end)) < 0);
    });
  const epochAt = (map: string, key: string) =>
    pages.get(map)?.findLast(({ sk: bound }) => compare(String(bound), key) <= 0)?.epoch;
  const counts: Counts = {};
  for (const map of pages.keys()) for (const { id, n } of contents(map)) add(counts, id, n);
  let total = head.total;
  for (const { sk, before, after } of entries) {
    const isClaimed = batch.has(sk);
    if (!isClaimed) total += Number(after !== undefined) - Number(before !== undefined);
    const isKnown = (map: string, key: string) => isClaimed && (isPast || epochAt(map, key) === head.epoch);
    for (const [user, n] of [
      [before, -1],
      [after, 1],
    ] as const) {
      if (!user) continue;
      for (const { id, map, key } of placesOfUser(user)) if (!isKnown(map, key)) add(counts, id, n);
    }
  }
  return { counts, total, epoch: head.epoch };
}
