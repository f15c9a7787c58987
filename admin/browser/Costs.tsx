import type { Cost } from './send.ts';
import { numberOf } from './time.ts';

/** All requests since the page was opened. */
export interface Costs {
  last: Cost | undefined;
  requests: number;
  units: number;
}

export const NO_COSTS: Costs = { last: undefined, requests: 0, units: 0 };

export const addCost = ({ requests, units }: Costs, last: Cost): Costs => ({
  last,
  requests: requests + 1,
  units: units + last.readUnits + last.writeUnits,
});

const counted = (count: number, noun: string): string => `${numberOf(count)} ${noun}${count === 1 ? '' : 's'}`;

const unitsOf = ({ readUnits, writeUnits }: Cost): string =>
  [counted(readUnits, 'read unit'), ...(writeUnits > 0 ? [counted(writeUnits, 'write unit')] : [])].join(', ');

/** What the last request cost, and all of them: DynamoDB's request units, which are what one pays for. */
export function CostLine({ costs: { last, requests, units } }: { costs: Costs }) {
  if (!last) return null;
  return (
    <footer class="costs text-light hstack justify-between">
      <span title={last.plan === undefined ? undefined : `Read by: ${last.plan}`}>
        {last.request} <b>{last.status}</b> · {unitsOf(last)} ·{' '}
        <span class="time">{Math.round(last.milliseconds)} ms</span>
      </span>
      <span>
        {counted(requests, 'request')} since you came: {counted(Math.round(units * 10) / 10, 'unit')}
      </span>
    </footer>
  );
}
