import { counted, printable } from '../program/stop.ts';
import type { ImportSettings } from './importOptions.ts';
import { countOf, type Tally } from './importUsers.ts';

/** Such as ` (email 12, status 3)`: how many users were updated in each field. */
function inFields({ fields }: Tally): string {
  const counts = [...fields].map(([name, count]) => `${name} ${count.toLocaleString('en-US')}`);
  return counts.length === 0 ? '' : ` (${counts.join(', ')})`;
}

/** Those of users who are named, if there are any, or always. */
function outcomes(tally: Tally, { isDryRun, isSync, deletesMissing }: ImportSettings): [number, string, boolean][] {
  const { there, changed, gone, updated, deleted } = tally;
  const would = isDryRun ? 'to be ' : '';
  return [
    [updated, `${would}updated${inFields(tally)}`, isSync],
    [there, isSync ? 'unchanged' : 'there already, the same', isSync || !isDryRun],
    [deleted, `${would}deleted`, deletesMissing],
    [changed, 'there already, but changed', changed > 0],
    [gone, 'gone since', gone > 0],
  ];
}

/** As many members are named. */
const MOST_NAMED = 20;

/** A terminal would obey what a name tells it. */
const shown = (name: string): string => printable(JSON.stringify(name.slice(0, 64)));

/** The members that users of the service cannot have, those of most users first. */
function leftOutOf({ leftOut }: Tally): string {
  const most = [...leftOut].toSorted(([, a], [, b]) => b - a);
  const named = most.slice(0, MOST_NAMED).map(([name, count]) => `${shown(name)} of ${counted(count, 'user')}`);
  const more = most.length > MOST_NAMED ? [`and ${counted(most.length - MOST_NAMED, 'more member')}`] : [];
  return most.length === 0 ? '' : `Left out, because no attribute can be so: ${[...named, ...more].join(', ')}\n`;
}

/** A column is not advised: whose it is decides the person. */
const adviceFor = ({ nameless }: Tally): string =>
  nameless === 0
    ? ''
    : `${counted(nameless, 'line')} without a name: --name-from "…" takes the name of other columns\n`;

/** The result of an import, in a line, and in another one what it has left out. */
export function summaryOf(tally: Tally, settings: ImportSettings, seconds: number): string {
  const { isDryRun, isSync, refused } = settings;
  const done = isDryRun ? (isSync ? 'to be created' : 'valid') : 'created';
  const parts = [
    `${counted(tally.created, 'user')} ${done}`,
    ...outcomes(tally, settings).flatMap(([count, what, isNamed]) =>
      isNamed ? `${count.toLocaleString('en-US')} ${what}` : [],
    ),
    tally.refused === 0 ? 'none refused' : `${counted(tally.refused, 'line')} refused`,
  ];
  const see = tally.missing > 0 ? `, see ${refused}` : '';
  const rate = Math.round(countOf(tally) / Math.max(seconds, 0.001));
  return `${parts.join(', ')}${see}. ${seconds.toFixed(1)} s, ${rate} per second\n${leftOutOf(tally)}${adviceFor(tally)}`;
}
