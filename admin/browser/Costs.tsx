import { UNIT_PRICES } from '../../schemas/prices.ts';
import type { EditPreview } from './connection.ts';
import { numberOf } from './time.ts';

const digits = new Intl.NumberFormat(undefined, { maximumSignificantDigits: 1, maximumFractionDigits: 20 });

/** "1 user", "447 users". */
export const counted = (count: number, noun: string): string => `${numberOf(count)} ${noun}${count === 1 ? '' : 's'}`;

type Units = EditPreview['units'];

/** DynamoDB's request units, which are what one pays for, in Server-Timing (https://www.w3.org/TR/server-timing/) of this service. */
export function unitsIn(header: string | null): Units {
  const units = (unit: string) => {
    const [, count = 0] = new RegExp(`([\\d.]+) ${unit}`).exec(header ?? '') ?? [];
    return Number(count);
  };
  return { read: units('RRU'), write: units('WRU') };
}

/** "2.5 read units, 8 write units, 0.000006 dollars". */
export function priced({ read, write }: Units): string {
  const written = write > 0 ? `, ${counted(write, 'write unit')}` : '';
  const dollars = read * UNIT_PRICES.readUnit + write * UNIT_PRICES.writeUnit;
  return `${counted(read, 'read unit')}${written}, ${digits.format(dollars)} dollars`;
}

/** What the last request cost. */
export const CostLine = ({ url, status, headers }: Response) => (
  <footer class="costs text-light">
    {new URL(url).pathname} <b>{status}</b> · {priced(unitsIn(headers.get('server-timing')))}
  </footer>
);
