import { draw, type Line } from './chart.ts';
import { number, table } from './markdown.ts';
import { type Outcome, simulate } from './simulation.ts';

/** The read units of the index for a first page: half a unit, because an index is read without strong consistency. */
const INDEX_UNITS = 0.5;
/** A journal does not grow if it grows by fewer entries a second, which is random. */
const STEADY = 1;

const RATES = [0, 1, 10, 50, 100, 200, 300, 330, 400];
const CUT_RATES = [0, 10, 100, 300, 1_000, 3_000, 5_000];
const CUTS = [1, 4, 16];
const DRAWN_RATES = [1, 3, 10, 30, 100, 200, 330, 660, 1_320, 2_640, 5_280];
const DRAWN_CUTS = [
  { parts: 1, label: 'one partition', color: '#c0392b', width: 3 },
  { parts: 16, label: '16 parts', color: '#0a7d4b', width: 2 },
] as const;

const isSteady = ({ growth }: Outcome): boolean => growth <= STEADY;

/** A journal that is cut by a hash of the id. Each listing reads all parts in parallel, and then the head again. */
export function simulateCut(writesPerSecond: number, parts: number) {
  const isCut = parts > 1;
  const outcome = simulate({ writesPerSecond: writesPerSecond / parts, headAgain: isCut });
  return { ...outcome, firstPage: INDEX_UNITS + outcome.units * parts + Number(isCut) };
}

const rateRow = (writesPerSecond: number): string[] => {
  const outcome = simulate({ writesPerSecond });
  const { entries, units, listings, throttled, growth } = outcome;
  return [
    number(writesPerSecond),
    number(Math.round(entries)),
    number(INDEX_UNITS + units),
    number(Math.round(listings)),
    number(throttled),
    isSteady(outcome) ? 'no' : `by ${number(Math.round(growth))} a second`,
  ];
};

const cutCell = (writesPerSecond: number, parts: number): string => {
  const outcome = simulateCut(writesPerSecond, parts);
  if (!isSteady(outcome)) return 'grows';
  return `${number(outcome.firstPage)} · ${number(Math.round(outcome.listings))}`;
};

/** What one partition serves at several rates of writes, as Markdown. */
export const partitionTable = (): string =>
  table(
    [
      'Writes a second',
      'Entries in the journal',
      'Units of a first page',
      'Listings a second, at most',
      'Throttled writes a second',
      'The journal grows',
    ],
    RATES.map(rateRow),
  );

/** The same for a journal that is cut into several partitions. */
export const cutTable = (): string =>
  table(
    [
      'Units of a first page · listings a second',
      ...CUTS.map((parts) => (parts === 1 ? 'one part' : `${parts} parts`)),
    ],
    CUT_RATES.map((rate) => [`${number(rate)} writes a second`, ...CUTS.map((parts) => cutCell(rate, parts))]),
  );

/** A line ends where its journal would grow. */
export function scaleChart(): string {
  const outcomes = DRAWN_CUTS.map(({ parts, ...line }) => ({
    ...line,
    points: DRAWN_RATES.filter((rate) => rate >= parts)
      .map((rate) => ({ rate, ...simulateCut(rate, parts) }))
      .filter(isSteady),
  }));
  const linesOf = (read: (outcome: (typeof outcomes)[number]['points'][number]) => number): Line[] =>
    outcomes.map(({ color, width, points }) => ({
      color,
      width,
      points: points.map((each) => [each.rate, read(each)] as const),
    }));
  const heading = 'Listings while others write, for one journal';
  return draw({
    heading,
    title: `${heading}: how many a second at most, and read units of a first page`,
    labels: [],
    panels: [
      { title: 'Listings a second, at most', labels: DRAWN_CUTS, lines: linesOf(({ listings }) => listings) },
      { title: 'Read units of a first page', labels: [], lines: linesOf(({ firstPage }) => firstPage) },
    ],
    ticks: [1, 10, 100, 1_000, 10_000],
    unit: 'writes a second',
  });
}
