import type { Figure, Measurement } from './figures.ts';
import { BESIDE_OTHERS, type Title } from './lines.ts';
import { number, table } from './markdown.ts';

const USERS = 100_000;
const MILLION = 1_000_000;
const UNKNOWN = '–';

const LISTED: Title = 'any page: of all, a country, a status, both, an e-mail; in any order there is a list for';
const DRAWN: Title = 'all kinds, any page';
const CREATED: Title = 'create, at once';
const PRICES: readonly Title[] = [
  'write units, at 1 create a second',
  'write units, at 10 creates a second',
  'write units, at 100 creates a second',
];

/** Read units of the two ways that bench/README.md describes, for the same pages: measured once. */
const OTHERS: Record<(typeof BESIDE_OTHERS)[number], [skip: number, scan: number]> = {
  'first page by name': [1_778.5, 4_295],
  'page half way by name': [2_674, 4_295],
  'keyword "ski" by last name': [1_858.5, 4_295],
};

/** The figures of README.md. */
export function summary(measurements: readonly Measurement[]): string {
  const at = (size: number) => measurements.find(({ users }) => users === size);
  const read = (size: number, title: Title, value: (figure: Figure) => number | undefined): string => {
    const figure = at(size)?.figures[title];
    const found = figure && value(figure);
    return found === undefined ? UNKNOWN : number(found);
  };
  const most = ({ units }: Figure) => units.most;
  const listed = (size: number) => `${read(size, LISTED, ({ units }) => units.median)}, ${read(size, LISTED, most)}`;
  const compared = BESIDE_OTHERS.map((title) => [
    `${title.charAt(0).toUpperCase()}${title.slice(1)}`,
    read(USERS, title, most),
    ...OTHERS[title].map(number),
  ]);
  return table(
    [`Read units of a page of 20 users among ${number(USERS)}`, 'This service', 'Skip and count', 'Scan and sort'],
    [
      ...compared,
      ['Page at any depth, in an order with an index: median, most', listed(USERS), '', ''],
      [`The same among ${number(MILLION)} users`, listed(MILLION), '', ''],
      [
        'Any page of questions drawn at random: median, 95 of 100',
        `${read(USERS, DRAWN, ({ units }) => units.median)}, ${read(USERS, DRAWN, ({ units }) => units.of95)}`,
        '',
        '',
      ],
      ['Create, in write units at once, at every size of the stage', read(USERS, CREATED, most), '', ''],
      [
        'Create, in write units at once and later: at 1, 10, 100 a second',
        PRICES.map((title) => read(USERS, title, most)).join(', '),
        '',
        '',
      ],
    ],
  );
}
