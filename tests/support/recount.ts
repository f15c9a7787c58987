import { toEntry } from '../../lib/users/journal/entry.ts';
import { toHead } from '../../lib/users/journal/head.ts';
import { positionOf, visitPage } from '../../lib/users/statistics/page.ts';
import type { User } from '../../lib/users/user.ts';

type Item = Record<string, unknown>;

/** All counts: `map key bucket` as JSON, and the number of users. Zero counts are left out. */
export type Counts = Record<string, number>;

const folded = (value: string) => value.normalize('NFC').toLowerCase().normalize('NFC').replace(/ς/g, 'σ');

const MISSING = '\u{10FFFF}\u0002';

const mark = (value: string | undefined) =>
  value === undefined ? MISSING : value.replace(/^\u{10FFFF}/u, '\u{10FFFF}\u0001');
const sortMark = (value: string | undefined) => (value === undefined ? MISSING : mark(folded(value)));

/** The counts of one user, written as plainly as possible, without checksums. */
function placesOf({ status, country, lastName }: Partial<User>): string[] {
  const value = (text: string | undefined) => `${sortMark(text)}\0${mark(text)}`;
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
  return places.map((place) => JSON.stringify(place));
}

function add(counts: Counts, place: string, n: number): void {
  const sum = (counts[place] ?? 0) + n;
  if (sum === 0) delete counts[place];
  else counts[place] = sum;
}

/** Counts the users themselves. */
export function recountOf(users: readonly Item[]): Counts {
  const counts: Counts = {};
  for (const { fields } of users) for (const place of placesOf(fields as User)) add(counts, place, 1);
  return counts;
}

const compareBytes = (a: string, b: string) => (a === b ? 0 : Buffer.compare(Buffer.from(a), Buffer.from(b)));

/** The counts of the pages together with the journal, at one moment. */
export function countsOf(directory: readonly Item[]): { counts: Counts; total: number; epoch: number } {
  const of = (pk: string) =>
    directory.filter((item) => item.pk === pk).sort((a, b) => compareBytes(String(a.sk), String(b.sk)));
  const journal = of('journal');
  const head = toHead(journal.find(({ format }) => format !== undefined));
  const entries = journal.filter(({ format }) => format === undefined).map(toEntry);
  const batch = new Set(head.batch);
  const isPast = entries.filter(({ sk }) => batch.has(sk)).length < batch.size;
  const pages = new Map<string, Item[]>();
  for (const item of directory) {
    const map = String(item.pk);
    if (/^(totals|names|pieces):/.test(map) && !pages.has(map)) pages.set(map, of(map));
  }
  const counts: Counts = {};
  for (const [map, items] of pages) {
    for (const [i, { data }] of items.entries()) {
      const end = items[i + 1]?.sk;
      visitPage(data as Uint8Array, (key, bucket, n) => {
        const isHere = end === undefined || compareBytes(positionOf(key, bucket), String(end)) < 0;
        if (isHere && bucket !== 'h') add(counts, JSON.stringify([map, key, bucket]), n);
      });
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
      for (const place of user ? placesOf(user) : []) {
        const [map, key, bucket] = JSON.parse(place);
        const page = pages
          .get(map)
          ?.findLast(({ sk: bound }) => compareBytes(String(bound), positionOf(key, bucket)) <= 0);
        const isKnown = isClaimed && (isPast || page?.epoch === head.epoch);
        if (!isKnown) add(counts, place, n);
      }
    }
  }
  return { counts, total, epoch: head.epoch };
}
