import type { Figure, Measurement } from './figures.ts';
import type { Title } from './lines.ts';
import { number, table } from './markdown.ts';

const USERS = 100_000;
const MILLION = 1_000_000;
const UNKNOWN = '–';
const ANY_PAGE = 'any page: of all, a country, a status, both, an e-mail; in any order there is a list for';
const DRAWN = 'all kinds, any page';

function measurementOf(measurements: readonly Measurement[], size: number): Measurement {
  const found = measurements.find(({ users }) => users === size);
  if (!found) throw new Error(`${number(size)} users were not measured`);
  return found;
}

const figureOf = ({ figures }: Measurement, title: Title): Figure | undefined => figures[title];

/** Numbers of a figure, or a dash if it was not measured. */
function numbers(figure: Figure | undefined, values: (figure: Figure) => readonly (number | undefined)[]): string {
  if (!figure) return UNKNOWN;
  return values(figure)
    .map((value) => (value === undefined ? UNKNOWN : number(value)))
    .join(', ');
}

const BESIDE: Title = 'first page by name in the last minute, read units';
const PRICES: readonly Title[] = [
  'write units, at 1 create a second',
  'write units, at 10 creates a second',
  'write units, at 100 creates a second',
];

/** Rows about the pace of the fold, if it was measured. */
function paceRows(measurement: Measurement): string[][] {
  const beside = figureOf(measurement, BESIDE);
  const prices = PRICES.flatMap((title) => figureOf(measurement, title)?.units.most ?? []);
  const rows = [
    ...(beside
      ? [
          [
            'First page by name next to 100 creates a second: median, most',
            numbers(beside, ({ units }) => [units.median, units.most]),
          ],
        ]
      : []),
    ...(prices.length === PRICES.length
      ? [['Create, in write units at once and later: at 1, 10, 100 a second', prices.map(number).join(', ')]]
      : []),
  ];
  return rows.map((cells) => [...cells, '', '']);
}

/** The figures of README.md. */
export function summary(measurements: readonly Measurement[]): string {
  const at = (size: number) => measurementOf(measurements, size);
  const created = measurements.flatMap((measurement) => figureOf(measurement, 'create, at once')?.units.most ?? []);
  const compared = at(USERS).compared.map(({ title, units, skip = Number.NaN, scan = Number.NaN }) => [
    title,
    ...[units, skip, scan].map(number),
  ]);
  const atDepth = (size: number) => numbers(figureOf(at(size), ANY_PAGE), ({ units }) => [units.median, units.most]);
  const drawn = numbers(figureOf(at(USERS), DRAWN), ({ units, calls }) => [units.median, units.of95, calls?.median]);
  return table(
    [`Read units of a page of 20 users among ${number(USERS)}`, 'This service', 'Skip and count', 'Scan and sort'],
    [
      ...compared,
      ['Page at any depth, in an order with an index: median, most', atDepth(USERS), '', ''],
      [`The same among ${number(MILLION)} users`, atDepth(MILLION), '', ''],
      ['Any page of questions drawn at random: median, 95 of 100; calls, median', drawn, '', ''],
      ['Create, in write units at once, at every size', [...new Set(created)].map(number).join(' … '), '', ''],
      ...paceRows(at(USERS)),
    ],
  );
}
