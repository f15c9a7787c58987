import { UNIT_PRICES } from '../../schemas/prices.ts';
import type { Cost } from './connection.ts';
import { numberOf } from './time.ts';

type Units = Pick<Cost, 'readUnits' | 'writeUnits'>;

/** The last request, and all since the page was opened. */
export type Costs = Units & { requests: number; last?: Cost };

export const NO_COSTS: Costs = { requests: 0, readUnits: 0, writeUnits: 0 };

export const addCost = ({ requests, readUnits, writeUnits }: Costs, last: Cost): Costs => ({
  last,
  requests: requests + 1,
  readUnits: readUnits + last.readUnits,
  writeUnits: writeUnits + last.writeUnits,
});

const digits = new Intl.NumberFormat(undefined, { maximumSignificantDigits: 1, maximumFractionDigits: 20 });

/** "1 user", "447 users". */
export const counted = (count: number, noun: string): string => `${numberOf(count)} ${noun}${count === 1 ? '' : 's'}`;

/** "2.5 read units, 8 write units, 0.000006 dollars". */
export function priced({ readUnits, writeUnits }: Units): string {
  const written = writeUnits > 0 ? `, ${counted(writeUnits, 'write unit')}` : '';
  const dollars = readUnits * UNIT_PRICES.readUnit + writeUnits * UNIT_PRICES.writeUnit;
  return `${counted(readUnits, 'read unit')}${written}, ${digits.format(dollars)} dollars`;
}

/** What the last request cost, and all of them: DynamoDB's request units, which are what one pays for. */
export function CostLine({ costs: { last, requests, ...all } }: { costs: Costs }) {
  if (!last) return null;
  return (
    <footer class="bar costs text-light">
      <span>
        {last.request} <b>{last.status}</b> · {priced(last)}
        <span class="time"> ·&nbsp;{Math.round(last.milliseconds)}&nbsp;ms</span>
      </span>
      <span class="end">
        Since you came: {counted(requests, 'request')}, {priced(all)}
      </span>
    </footer>
  );
}
