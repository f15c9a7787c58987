import { cellOf } from '../statistics/cells.ts';
import { COUNT_PARTITION, cellOfRow, countRow } from '../statistics/counts.ts';
import { lastNameRows, nameOfRow } from '../statistics/lastNames.ts';
import type { Row } from '../statistics/rows.ts';
import { ZONED_FIELDS, zoneOf } from '../statistics/zones.ts';
import { fold } from '../text.ts';
import type { CountedUser } from '../user.ts';

/** What a row has to hold, by attribute: these counts and no others, and at least these zones. */
export type Expected = ReadonlyMap<string, number | ReadonlySet<number>>;

/** Users that are counted together, and what every row that counts them holds. */
interface Group {
  content: Map<string, number | Set<number>>;
  ids: number[];
  versions: number[];
  /** How many of its rows were found. */
  met: number;
}

export const isStatistic = (row: Row): boolean => cellOfRow(row) !== undefined || nameOfRow(row) !== undefined;

/** The rows of a last name that is folded already; folding it again changes nothing. */
const rowsOfName = (name: string): Row[] => lastNameRows({ name, lastName: name });

function groupIn(groups: Map<string, Group>, key: string): Group {
  const group = groups.get(key) ?? { content: new Map(), ids: [], versions: [], met: 0 };
  groups.set(key, group);
  return group;
}

function count({ content, ids, versions }: Group, { id, version }: CountedUser, cell?: string): void {
  for (const attribute of cell === undefined ? ['n'] : ['n', cell])
    content.set(attribute, Number(content.get(attribute) ?? 0) + 1);
  ids.push(id);
  versions.push(version);
}

function join({ content }: Group, attribute: string, zone: number): void {
  const zones = content.get(attribute);
  if (zones instanceof Set) zones.add(zone);
  else content.set(attribute, new Set([zone]));
}

/**
 * From users to the rows that count them. The rows of one last name hold the same, so they share what is kept here: a
 * million users take 40 MB of memory with the last names of the seed, 700 MB with one of its own for each.
 */
export function createTally() {
  const counts = new Map<string, Group>();
  const names = new Map<string, Group>();

  function groupOf(row: Row): Group | undefined {
    const name = nameOfRow(row);
    if (name === undefined) return counts.get(row.sk);
    return rowsOfName(name).some(({ pk, sk }) => pk === row.pk && sk === row.sk) ? names.get(name) : undefined;
  }

  return {
    add(user: CountedUser): void {
      const inCell = groupIn(counts, countRow(user, user.shard).sk);
      count(inCell, user);
      for (const field of ZONED_FIELDS) join(inCell, field, zoneOf(user, field));
      if (user.lastName) count(groupIn(names, fold(user.lastName)), user, cellOf(user));
    },

    /** What a row has to hold; undefined when it counts nobody and must not be there. */
    expected: (row: Row): Expected | undefined => groupOf(row)?.content,

    /** The ids of the users that a row counts. */
    ids: (row: Row): readonly number[] => groupOf(row)?.ids ?? [],

    /** Differs when the users of a row, or their versions, differ; users have to be added in one order. */
    signature(row: Row): string {
      const group = groupOf(row);
      return `${group?.ids}/${group?.versions}`;
    },

    /** How many rows there have to be. */
    rows: (): number => [...names.keys()].reduce((sum, name) => sum + rowsOfName(name).length, counts.size),

    /** Notes that a row is there. */
    meet(row: Row): void {
      const group = groupOf(row);
      if (group) group.met++;
    },

    /** All rows of users of whom not every row was met. */
    unmet(): Row[] {
      const rowsOfCell = (sk: string): Row[] => [{ pk: COUNT_PARTITION, sk }];
      const unmetIn = (groups: Map<string, Group>, rowsOf: (key: string) => Row[]) =>
        [...groups].flatMap(([key, { met }]) => (met < rowsOf(key).length ? rowsOf(key) : []));
      return [...unmetIn(counts, rowsOfCell), ...unmetIn(names, rowsOfName)];
    },
  };
}

export type Tally = ReturnType<typeof createTally>;
