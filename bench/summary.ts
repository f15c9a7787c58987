import type { Figure, Measurement } from './figures.ts';
import { number, table } from './markdown.ts';

const USERS = 100_000;
const MILLION = 1_000_000;
const ANY_PAGE = 'any page: of all, a country, a status, both, an e-mail; in any order there is a list for';

function measurementOf(measurements: readonly Measurement[], size: number): Measurement {
  const found = measurements.find(({ users }) => users === size);
  if (!found) throw new Error(`${number(size)} users were not measured`);
  return found;
}

function figureOf({ users, groups }: Measurement, title: string): Figure {
  const found = groups.flatMap(({ figures }) => figures).find((figure) => figure.title === title);
  if (!found) throw new Error(`"${title}" was not measured at ${number(users)} users`);
  return found;
}

const spread = ({ median, most }: Figure): string => `${number(median)}, ${number(most)}`;

/** The figures of README.md. */
export function summary(measurements: readonly Measurement[]): string {
  const at = (size: number) => measurementOf(measurements, size);
  const created = measurements.map((measurement) => figureOf(measurement, 'create, at once').most);
  const compared = at(USERS).compared.map(({ title, units, skip = Number.NaN, scan = Number.NaN }) => [
    title,
    ...[units, skip, scan].map(number),
  ]);
  return table(
    [`Read units of a page of 20 users among ${number(USERS)}`, 'This service', 'Skip and count', 'Scan and sort'],
    [
      ...compared,
      ['Page at any depth, in an order with an index: median, most', spread(figureOf(at(USERS), ANY_PAGE)), '', ''],
      [`The same among ${number(MILLION)} users`, spread(figureOf(at(MILLION), ANY_PAGE)), '', ''],
      ['Create, in write units at once, at every size', [...new Set(created)].map(number).join(' … '), '', ''],
    ],
  );
}
