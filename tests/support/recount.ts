import { type JournalEntry, toEntry } from '../../lib/users/journal/entry.ts';
import { toHead } from '../../lib/users/journal/head.ts';
import { unpack } from '../../lib/users/tree/pack.ts';
import { positionOf } from '../../lib/users/tree/rows.ts';
import type { User } from '../../lib/users/user.ts';
import { compare } from './fake/expressions.ts';

type Item = Record<string, unknown>;

/** All counts: `map key bucket` as JSON, and the number of users. Zero counts are left out. */
export type Counts = Record<string, number>;

const folded = (value: string) => value.normalize('NFC').toLowerCase().normalize('NFC').replace(/ς/g, 'σ');

const MISSING = '\u{10FFFF}\u0002';

const mark = (value: string | undefined) =>
  value === undefined ? MISSING : value.replace(/^\u{10FFFF}/u, '\u{10FFFF}\u0001');
const sortMark = (value: string | undefined) => (value === undefined ? MISSING : mark(folded(value)));

interface Place {
  /** Of all three, as JSON. */
  id: string;
  map: string;
  key: string;
  bucket: string;
}

const placeOf = (map: string, key: string, bucket: string): Place => ({
  id: JSON.stringify([map, key, bucket]),
  map,
  key,
  bucket,
});

/** The counts of one user, written as plainly as possible, without checksums. */
function countedPlaces({ status, country, lastName }: Partial<User>): Place[] {
  const value = (text: string | undefined) => `${sortMark(text)}\0${sortMark(text) === mark(text) ? '' : mark(text)}`;
  const places: string[][] = [
    ['totals:status', value(status), 'n'],
    ['totals:country', value(country), 'n'],
    ['totals:country,status', `${mark(country)}\0${value(status)}`, 'n'],
    ['totals:status,country', `${mark(status)}\0${value(country)}`, 'n'],
  ];
  const characters = Array.from(folded(lastName ?? ''));
  for (const [i, first] of characters.entries()) {
    const [before, suffix] = [characters.slice(0, i).join(''), characters.slice(i).join('')];
    places.push([`names:${first}`, `${suffix}\0${before}`, `${mark(status)}\0${mark(country)}`]);
  }
  const pieces = characters.flatMap((first, i) => [first, first + (characters[i + 1] ?? '')]);
  for (const piece of new Set(pieces)) {
    places.push([`pieces:${Array.from(piece)[0]}`, piece, `${mark(status)}\0${mark(country)}`]);
  }
  return places.map(([map = '', key = '', bucket = '']) => placeOf(map, key, bucket));
}

/** Stored items are replaced, never changed. So what is made of one is kept for as long as it is there. */
function onceFor<Source extends object, Made>(make: (source: Source) => Made): (source: Source) => Made {
  const made = new WeakMap<Source, { value: Made }>();
  return (source) => {
    const known = made.get(source) ?? { value: make(source) };
    made.set(source, known);
    return known.value;
  };
}

const placesOf = onceFor(countedPlaces);

/** A user's fields as stored. */
type Stored = { l?: string; s?: string; c?: string };

const placesOfStored = onceFor(({ l, s, c }: Stored) =>
  countedPlaces({ ...(l !== undefined && { lastName: l }), ...(s && { status: s }), ...(c && { country: c }) }),
);

const entryOf = onceFor<Item, JournalEntry>(toEntry);

/** What a page counts. */
const contentsOf = onceFor(({ pk, data }: Item) => {
  const contents: { id: string; position: string; n: number }[] = [];
  const map = String(pk).replace(/^g[^:]*:/, '');
  for (const { key, counts } of unpack(data as Uint8Array)) {
    for (const [bucket, n] of counts) {
      contents.push({ id: placeOf(map, key, bucket).id, position: positionOf(key, bucket), n });
    }
  }
  return contents;
});

function add(counts: Counts, place: string, n: number): void {
  const sum = (counts[place] ?? 0) + n;
  if (sum === 0) delete counts[place];
  else counts[place] = sum;
}

/** Counts the users themselves. */
export function recountOf(users: readonly Item[]): Counts {
  const counts: Counts = {};
  for (const { f } of users) for (const { id } of placesOfStored(f as Stored)) add(counts, id, 1);
  return counts;
}

/** The counts of the pages together with the journal, at one moment. */
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
    const isOwn = String(item.pk).startsWith(prefix) && /^(totals|names|pieces):/.test(map);
    if (isOwn && !pages.has(map)) pages.set(map, of(String(item.pk)));
  }
  const counts: Counts = {};
  for (const items of pages.values()) {
    for (const [i, page] of items.entries()) {
      const end = items[i + 1]?.sk;
      for (const { id, position, n } of contentsOf(page)) {
        if (end === undefined || compare(position, String(end)) < 0) add(counts, id, n);
      }
    }
  }
  let total = head.total;
  for (const { sk, before, after } of entries) {
    const isClaimed = batch.has(sk);
    if (!isClaimed) total += Number(after !== undefined) - Number(before !== undefined);
    for (const [user, n] of [
      [before, -1],
      [after, 1],
    ] as const) {
      for (const { id, map, key, bucket } of user ? placesOf(user) : []) {
        const epoch = () => {
          const position = positionOf(key, bucket);
          return pages.get(map)?.findLast(({ sk: bound }) => compare(String(bound), position) <= 0)?.epoch;
        };
        const isKnown = isClaimed && (isPast || epoch() === head.epoch);
        if (!isKnown) add(counts, id, n);
      }
    }
  }
  return { counts, total, epoch: head.epoch };
}
