import { UNIT_PRICES } from '../../schemas/prices.ts';
import type { Cost } from './send.ts';
import { numberOf } from './time.ts';

/** All requests since the page was opened. */
export interface Costs {
  last: Cost | undefined;
  requests: number;
  readUnits: number;
  writeUnits: number;
}

type Units = Pick<Costs, 'readUnits' | 'writeUnits'>;

export const NO_COSTS: Costs = { last: undefined, requests: 0, readUnits: 0, writeUnits: 0 };

export const addCost = ({ requests, readUnits, writeUnits }: Costs, last: Cost): Costs => ({
  last,
  requests: requests + 1,
  readUnits: readUnits + last.readUnits,
  writeUnits: writeUnits + last.writeUnits,
});

const digits = new Intl.NumberFormat(undefined, { maximumSignificantDigits: 1, maximumFractionDigits: 20 });

const counted = (count: number, noun: string): string => `${numberOf(count)} ${noun}${count === 1 ? '' : 's'}`;

/** "2.5 read units, 0.0000003 dollars". */
const priced = ({ readUnits, writeUnits }: Units): string => {
  const units =
    writeUnits > 0
      ? `${counted(readUnits, 'read unit')}, ${counted(writeUnits, 'write unit')}`
      : counted(readUnits, 'read unit');
  return `${units}, ${digits.format(readUnits * UNIT_PRICES.readUnit + writeUnits * UNIT_PRICES.writeUnit)} dollars`;
};

/** Where the users of a list came from. */
function originOf({ replica }: Cost): string | undefined {
  if (replica === undefined) return undefined;
  return replica === 'warm' ? 'All users were in memory' : `All users were loaded: ${replica}`;
}

/** What the last request cost, and all of them: DynamoDB's request units, which are what one pays for. */
export function CostLine({ costs }: { costs: Costs }) {
  const { last, requests } = costs;
  if (!last) return null;
  return (
    <footer class="costs text-light hstack justify-between">
      <span title={originOf(last)}>
        {last.request} <b>{last.status}</b> · {priced(last)} ·{' '}
        <span class="time">{Math.round(last.milliseconds)} ms</span>
      </span>
      <span>
        {counted(requests, 'request')} since you came: {priced(costs)}
      </span>
    </footer>
  );
}
