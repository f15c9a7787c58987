import { FEW_FIELDS, type FewField } from '../../lib/users/fields.ts';
import { ChangeList } from './ChangeList.tsx';
import type { ChangePage, Connection, Query, ValueCounts } from './connection.ts';
import { Days, firstDay } from './Days.tsx';
import { Empty } from './Empty.tsx';
import { labelOf, valueText } from './filters.ts';
import { useShared } from './shared.ts';
import { Loading, Trouble } from './Trouble.tsx';
import { dateDaysAgo, numberOf, timeOf } from './time.ts';
import { useReading } from './useReading.ts';
import { useTitle } from './useWindow.ts';
import { listAddress } from './view.ts';

/** Changes that are shown. */
const MOST = 8;

/** The counts that are shown: of each day, and of each field with few values. */
async function readNumbers(connection: Connection, signal: AbortSignal) {
  const countBy = (query: Query) => connection.read<ValueCounts>('/counts', query, signal);
  const [{ counts }, ...fields] = await Promise.all([
    countBy({ by: 'createdAt.day', 'createdAt.gte': firstDay() }),
    ...FEW_FIELDS.map(async (field) => ({ field, ...(await countBy({ by: field })) })),
  ]);
  const days = new Map(counts.map(({ 'createdAt.day': day, count }) => [day, count]));
  return { days, fields, total: fields[0]?.total ?? 0 };
}

/** How many users have each value of a field, the largest first. */
function Bars({ field, counts }: { field: FewField; counts: ValueCounts['counts'] }) {
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

function LastChanges() {
  const { connection, edits } = useShared();
  const { value: last, failure } = useReading(String(edits), (signal) =>
    connection.read<ChangePage>('/changes', { before: 'now', size: MOST }, signal),
  );
  return (
    <section>
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
  if (!numbers) return failure ? <Trouble failure={failure} /> : <Loading />;
  const since = dateDaysAgo(6);
  const recent = [...numbers.days].filter(([day = '']) => day >= since);
  const fresh = recent.reduce((sum, [, count]) => sum + count, 0);
  const totals = [
    [numbers.total, 'users', listAddress()],
    [fresh, 'new in seven days', listAddress({ 'createdAt.gte': [since] })],
  ] as const;
  return (
    <div class="page boxes halves">
      <div class="boxes">
        {totals.map(([count, text, address]) => (
          <a key={text} class="totals vstack gap-1 unstyled" href={address}>
            <b>{numberOf(count)}</b> {text}
          </a>
        ))}
      </div>
      <Days counts={numbers.days} />
      {numbers.total === 0 && session.may('users:write') && <Empty />}
      <div class="boxes">
        {numbers.fields.map(({ field, counts }) => (
          <Bars key={field} field={field} counts={counts} />
        ))}
      </div>
      {session.may('users:audit') && <LastChanges />}
    </div>
  );
}
