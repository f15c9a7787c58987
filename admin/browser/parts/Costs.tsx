import { UNIT_PRICES } from '../../../schemas/prices.ts';
import type { EditPreview } from '../data/connection.ts';
import { shared } from '../data/state.ts';
import { counted, dollarsOf, numberOf } from '../data/time.ts';

/** "2.5 read and 8 write units · $0.000006": DynamoDB's request units, which are what one pays for. */
export function priced({ read, write }: EditPreview['units']): string {
  const dollars = read * UNIT_PRICES.readUnit + write * UNIT_PRICES.writeUnit;
  const units = write > 0 ? `${numberOf(read)} read and ${counted(write, 'write unit')}` : counted(read, 'read unit');
  return `${units} · $${dollarsOf(dollars)}`;
}

/** The cost of the last request, if it is asked for: its units are in Server-Timing (https://www.w3.org/TR/server-timing/) of this service. */
export function Costs() {
  if (!shared.hasCosts || !shared.answer) return null;
  const { url, status, headers } = shared.answer;
  const units = (unit: string) =>
    Number(new RegExp(`([\\d.]+) ${unit}`).exec(headers.get('server-timing') ?? '')?.[1] ?? 0);
  return (
    <small class="costs" title={`${new URL(url).pathname}: ${status}`}>
      {priced({ read: units('RRU'), write: units('WRU') })}
    </small>
  );
}
