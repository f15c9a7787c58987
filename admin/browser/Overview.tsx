import { FEW_FIELDS, type FewField } from '../../lib/users/fields.ts';
import { ChangeList } from './ChangeList.tsx';
import type { ChangePage, Connection, ValueCounts } from './connection.ts';
import { Days, firstDay } from './Days.tsx';
import { Empty } from './Empty.tsx';
import { labelOf, valueText } from './filters.ts';
import { useShared } from './shared.ts';
import { Trouble } from './Trouble.tsx';
import { dateDaysAgo, numberOf, timeOf } from './time.ts';
import { useReading } from './useReading.ts';
import { useTitle } from './useTitle.ts';
import { listAddress } from './view.ts';

/** Changes that are shown. */
const MOST = 8;

type Counts = readonly (Partial<Record<FewField, string>> & { count: number })[];

/** How many users each value of a field has, of counts by several fields. The largest first. */
function barsOf(counts: Counts, field: FewField): [value: string | undefined, count: number][] {
  const sums = new Map<string | undefined, number>();
  for (const { count, ...values } of counts) sums.set(values[field], (sums.get(values[field]) ?? 0) + count);
  return [...sums].sort(([, a], [, b]) => b - a);
}

/** Counts by both fields come in one request, unless they are too many for one. */
async function readNumbers(connection: Connection, signal: AbortSignal) {
  const [both, { counts }] = await Promise.all([
    connection.read<ValueCounts>('/counts', { by: FEW_FIELDS.join(',') }, signal),
    connection.read<ValueCounts>('/counts', { by: 'createdAt.day', 'createdAt.gte': firstDay() }, signal),
  ]);
  const days = new Map(counts.map(({ 'createdAt.day': day, count }) => [day, count]));
  const countsBy = async (field: FewField) =>
    both.others ? connection.read<ValueCounts>('/counts', { by: field }, signal) : both;
  const bars = FEW_FIELDS.map(async (field) => ({ field, bars: barsOf((await countsBy(field)).counts, field) }));
  return { total: both.total, days, fields: await Promise.all(bars) };
}

function Bars({ field, bars }: { field: FewField; bars: ReturnType<typeof barsOf> }) {
  const address = (value: string | undefined) =>
    listAddress(value === undefined ? { [`${field}.missing`]: ['true'] } : { [field]: [value] });
  return (
    <section class="col-3" aria-label={`By ${labelOf(field).toLowerCase()}`}>
      <h2>{labelOf(field)}</h2>
      <ul class="values unstyled">
        {bars.map(([value, count]) => (
          <li key={value ?? ''}>
            <a class="unstyled" href={address(value)}>
              <span class="hstack justify-between">
                {value === undefined ? <i>no value</i> : valueText(field, value)} <b>{numberOf(count)}</b>
              </span>
              <progress aria-hidden="true" max={bars[0]?.[1]} value={count} />
            </a>
          </li>
        ))}
      </ul>
    </section>
  );
}

function LastChanges() {
  const { connection, edits } = useShared();
  const { value: last, failure } = useReading(String(edits), (signal) =>
    connection.read<ChangePage>('/changes', { before: 'now', size: MOST }, signal),
  );
  return (
    <section class="col-6">
      <h2>
        <a class="unstyled" href="#show=changes">
          The last changes
        </a>
      </h2>
      {failure && <Trouble failure={failure} />}
      {last && <ChangeList changes={last.changes} timeOf={timeOf} />}
    </section>
  );
}

/** The first screen: how many users there are, and of what kind, and what happened last. Each number leads to its list. */
export function Overview() {
  const { connection, session, edits } = useShared();
  const { value: numbers, failure } = useReading(String(edits), (signal) => readNumbers(connection, signal));
  useTitle('screen', 'Overview');
  if (!numbers)
    return failure ? (
      <Trouble failure={failure} />
    ) : (
      <p class="notice" aria-busy="true">
        Loading …
      </p>
    );
  const since = dateDaysAgo(6);
  const fresh = [...numbers.days].reduce((sum, [day = '', count]) => sum + (day < since ? 0 : count), 0);
  const totals = [
    [numbers.total, 'users', listAddress()],
    [fresh, 'new in seven days', listAddress({ 'createdAt.gte': [since] })],
  ] as const;
  return (
    <div class="page container row">
      {totals.map(([count, text, address]) => (
        <a key={text} class="totals col-3 unstyled" href={address}>
          <b>{numberOf(count)}</b> {text}
        </a>
      ))}
      <Days counts={numbers.days} />
      {numbers.total === 0 && session.may('users:write') && <Empty />}
      {numbers.fields.map((counted) => (
        <Bars key={counted.field} {...counted} />
      ))}
      {session.may('users:audit') && <LastChanges />}
    </div>
  );
}
