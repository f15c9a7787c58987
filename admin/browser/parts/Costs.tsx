import { UNIT_PRICES } from '../../../schemas/prices.ts';
import type { EditPreview } from '../data/connection.ts';
import { counted, dollarsOf } from '../data/time.ts';

/** "2.5 read units, 8 write units, 0.000006 dollars": DynamoDB's request units, which are what one pays for. */
export function priced({ read, write }: EditPreview['units']): string {
  const dollars = read * UNIT_PRICES.readUnit + write * UNIT_PRICES.writeUnit;
  return `${counted(read, 'read unit')}, ${counted(write, 'write unit')}, ${dollarsOf(dollars)} dollars`;
}

/** The cost of the last request: its units are in Server-Timing (https://www.w3.org/TR/server-timing/) of this service. */
export function CostLine({ url, status, headers }: Response) {
  const units = (unit: string) =>
    Number(new RegExp(`([\\d.]+) ${unit}`).exec(headers.get('server-timing') ?? '')?.[1] ?? 0);
  return (
    <footer class="bar costs text-light">
      {new URL(url).pathname} <b>{status}</b> · {priced({ read: units('RRU'), write: units('WRU') })}
    </footer>
  );
}
