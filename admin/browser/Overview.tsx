import { FEW_FIELDS, type FewField } from '../../lib/users/user.ts';
import { ChangeList } from './ChangeList.tsx';
import { type ChangePage, read, type ValueCounts } from './connection.ts';
import { type Filters, labelOf, valueText } from './filters.ts';
import { Empty } from './Nobody.tsx';
import { may } from './session.ts';
import { shared } from './state.ts';
import { dateDaysAgo, numberOf } from './time.ts';
import { useReading } from './useReading.tsx';
import { useTitle } from './useWindow.ts';
import { listAddress } from './view.ts';

/** Changes that are shown. */
const MOST = 8;

/** Four weeks, the day of today included. */
const DAYS = 28;

type Counts = ValueCounts['counts'];

/** How many users are of a kind, which filters find them, and what it is called, if they have a value at all. */
type Bar = readonly [count: number, filters: Filters, text?: string];

const barsOf = (field: FewField, counts: Counts): Bar[] =>
  counts.map(({ [field]: value, count }) =>
    value === undefined
      ? [count, { [`${field}.missing`]: ['true'] }]
      : [count, { [field]: [value] }, valueText(field, value)],
  );

/** How many users were created on each of the last days, today first. */
function daysOf(counts: Counts): Bar[] {
  const known = new Map(counts.map(({ 'createdAt.day': day, count }) => [day, count]));
  return Array.from({ length: DAYS }, (_, ago) => {
    const [day, next] = [dateDaysAgo(ago), dateDaysAgo(ago - 1)];
    return [known.get(day) ?? 0, { 'createdAt.gte': [day], 'createdAt.lt': [next] }, day];
  });
}

/** A bar for each kind of users, which leads to them. */
const Bars = ({ title, bars }: { title: string; bars: readonly Bar[] }) => (
  <section>
    <h2>{title}</h2>
    <ul class="vstack unstyled">
      {bars.map(([count, filters, text]) => (
        <li key={text}>
          <a class="vstack gap-1 unstyled" href={listAddress(filters)}>
            <span class="flex gap-2 justify-between">
              {text ?? <i>no value</i>} <b>{numberOf(count)}</b>
            </span>
            <progress aria-hidden="true" max={Math.max(...bars.map(([each]) => each))} value={count} />
          </a>
        </li>
      ))}
    </ul>
  </section>
);

function LastChanges() {
  const { value: last, trouble } = useReading(String(shared.edits), (signal) =>
    read<ChangePage>('/changes', { before: 'now', size: MOST }, signal),
  );
  return (
    <section>
      <h2>
        <a class="unstyled" href="#show=changes">
          The last changes
        </a>
      </h2>
      {trouble}
      {last && <ChangeList changes={last.changes} />}
    </section>
  );
}

/** The first screen: how many users there are, and of what kind, and what happened last. Each number leads to its list. */
export function Overview() {
  const { value: numbers, trouble } = useReading(String(shared.edits), (signal) => {
    const by = (property: string, filters = {}) => read<ValueCounts>('/counts', { by: property, ...filters }, signal);
    return Promise.all([
      by('createdAt.day', { 'createdAt.gte': dateDaysAgo(DAYS - 1) }),
      ...FEW_FIELDS.map((field) => by(field)),
    ]);
  });
  useTitle('screen', 'Overview');
  if (!numbers) return trouble;
  const [days, ...fields] = numbers;
  const total = fields[0]?.total ?? 0;
  return (
    <div class="page boxes halves">
      <div>
        <a class="totals vstack gap-1 unstyled" href={listAddress()}>
          <b>{numberOf(total)}</b> users
        </a>
        {total === 0 && may('users:write') && <Empty />}
        <div class="boxes">
          {FEW_FIELDS.map((field, i) => (
            <Bars key={field} title={labelOf(field)} bars={barsOf(field, fields[i]?.counts ?? [])} />
          ))}
          <Bars title="New a day (UTC)" bars={daysOf(days.counts)} />
        </div>
      </div>
      {may('users:audit') && <LastChanges />}
    </div>
  );
}
