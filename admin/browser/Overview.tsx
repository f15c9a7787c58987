import { FEW_FIELDS, type FewField } from '../../lib/users/fields.ts';
import { ChangeList } from './ChangeList.tsx';
import { type ChangePage, read, type ValueCounts } from './connection.ts';
import { labelOf, valueText } from './filters.ts';
import { Empty } from './Nobody.tsx';
import { may } from './session.ts';
import { edits } from './state.ts';
import { dateDaysAgo, numberOf, timeOf } from './time.ts';
import { useReading } from './useReading.tsx';
import { useTitle } from './useWindow.ts';
import { listAddress } from './view.ts';

/** Changes that are shown. */
const MOST = 8;

/** Four weeks, the day of today included. */
const DAYS = 28;

type Counts = ValueCounts['counts'];

/** How many users have each value of a field, the largest first. */
function Bars({ field, counts }: { field: FewField; counts: Counts }) {
  const address = (value: string | undefined) =>
    listAddress(value === undefined ? { [`${field}.missing`]: ['true'] } : { [field]: [value] });
  return (
    <section aria-label={`By ${labelOf(field).toLowerCase()}`}>
      <h2>{labelOf(field)}</h2>
      <ul class="values vstack unstyled">
        {counts.map(({ [field]: value, count }) => (
          <li key={value ?? ''}>
            <a class="vstack gap-1 unstyled" href={address(value)}>
              <span class="flex gap-2 justify-between">
                {value === undefined ? <i>no value</i> : valueText(field, value)} <b>{numberOf(count)}</b>
              </span>
              <progress aria-hidden="true" max={counts[0]?.count} value={count} />
            </a>
          </li>
        ))}
      </ul>
    </section>
  );
}

/** How many users were created on each of the last days: a bar a day, which leads to them. */
function Days({ counts }: { counts: Counts }) {
  const most = Math.max(...counts.map(({ count }) => count), 1);
  const known = new Map(counts.map(({ 'createdAt.day': day, count }) => [day, count]));
  const bar = (i: number) => {
    const [day, next] = [dateDaysAgo(DAYS - 1 - i), dateDaysAgo(DAYS - 2 - i)];
    const count = known.get(day);
    const height = Math.max((count ?? 0) / most, 0.025);
    return count === undefined ? null : (
      <a key={day} href={listAddress({ 'createdAt.gte': [day], 'createdAt.lt': [next] })}>
        <title>{`${day}: ${numberOf(count)}`}</title>
        <rect x={i} y={1 - height} width={0.75} height={height} />
      </a>
    );
  };
  return (
    <section class="vstack gap-1">
      <svg class="days w-100" viewBox={`0 0 ${DAYS} 1`} preserveAspectRatio="none">
        <title>New users a day</title>
        {Array.from({ length: DAYS }, (_, i) => bar(i))}
      </svg>
      <small class="text-light">
        New users a day, since {dateDaysAgo(DAYS - 1)} (UTC): at most {numberOf(most)}
      </small>
    </section>
  );
}

function LastChanges() {
  const { value: last, trouble } = useReading(String(edits), (signal) =>
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
      {last && <ChangeList changes={last.changes} timeOf={timeOf} />}
    </section>
  );
}

/** The first screen: how many users there are, and of what kind, and what happened last. Each number leads to its list. */
export function Overview() {
  const { value: numbers, trouble } = useReading(String(edits), (signal) => {
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
      <a class="totals vstack gap-1 unstyled" href={listAddress()}>
        <b>{numberOf(total)}</b> users
      </a>
      <Days counts={days.counts} />
      {total === 0 && may('users:write') && <Empty />}
      <div class="boxes">
        {FEW_FIELDS.map((field, i) => (
          <Bars key={field} field={field} counts={fields[i]?.counts ?? []} />
        ))}
      </div>
      {may('users:audit') && <LastChanges />}
    </div>
  );
}
