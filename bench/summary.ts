import type { Measurement, Stat } from './figures.ts';
import { number } from './markdown.ts';
import { ofStores } from './results.ts';
import type { Title } from './tables.ts';

const WARM: Title = 'Warm requests';
const DRAWN: Title = 'Questions drawn at random, any page';

/** A recorded number. @throws {Error} where none was recorded */
function recorded({ users, tables }: Measurement, title: Title, line: string, stat: Stat): number {
  const value = tables[title]?.[line]?.[stat];
  if (value === undefined) throw new Error(`Nothing was recorded of ${title}, ${line}, at ${users} users`);
  return value;
}

/** The sentences of README.md on speed. */
export function summary(measurements: readonly Measurement[]): string {
  const stores = ofStores(measurements);
  const most = (line: string) => number(Math.max(...stores.map((each) => recorded(each, WARM, line, 'one'))));
  const times = (stat: Stat) =>
    stores.map((each) => `${number(recorded(each, DRAWN, 'all kinds', stat))} at ${number(each.users)}`).join(', ');
  return [
    `Any page of any question (filters and an order) costs ${most('any page, any counts, the stream: read units')} read unit, 4 KB of DynamoDB, in ${most('any page, any counts, the stream: calls')} call while few writes are waiting.`,
    `Questions drawn at random take these milliseconds of processor time, by the number of users: ${times('median')} (medians); ${times('most')} (the slowest).`,
    '[All figures](bench/figures.md), and [how they are measured](bench/README.md).',
  ].join(' ');
}
