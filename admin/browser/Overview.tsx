import { Attention } from './Attention.tsx';
import { Countries } from './Countries.tsx';
import { read, type ValueCounts } from './connection.ts';
import { LastChanges } from './LastChanges.tsx';
import { NewUsers, useNew } from './NewUsers.tsx';
import { Empty } from './Nobody.tsx';
import { StatusBar } from './StatusBar.tsx';
import { may, settings } from './session.ts';
import { shared } from './state.ts';
import { numberOf } from './time.ts';
import { useReading } from './useReading.tsx';
import { useTitle } from './useWindow.ts';
import { listAddress } from './view.ts';

/** "41 new today · 1,229 this week": from Monday on. Days are those of UTC. */
function NewLately() {
  const { value } = useNew('day');
  if (!value) return null;
  const today = value.columns.at(-1);
  const weekday = (new Date(today?.from ?? 0).getUTCDay() + 6) % 7;
  const week = value.columns.slice(-1 - weekday).reduce((sum, { count }) => sum + count, 0);
  return (
    <span class="text-light end">
      {numberOf(today?.count ?? 0)} new today<span class="wide"> · {numberOf(week)} this week</span>
    </span>
  );
}

/** The first screen: how many users there are and of what kind, who needs attention, what happened last. Each number leads to its users. */
export function Overview() {
  const { value: counts, trouble } = useReading(String(shared.edits), (signal) =>
    read<ValueCounts>('/counts', { by: 'status' }, signal),
  );
  useTitle('screen', 'Overview');
  if (counts?.total === 0) return <Empty />;
  return (
    <div class="overview">
      <section class="total">
        {trouble}
        {counts && (
          <>
            <header class="hstack">
              <h2>
                <a class="unstyled" href={listAddress()}>
                  <b>{numberOf(counts.total)}</b> users
                </a>
              </h2>
              <NewLately />
            </header>
            <StatusBar counts={counts} />
          </>
        )}
      </section>
      <NewUsers />
      <Countries />
      <Attention />
      {may('users:audit') && settings.historyDays > 0 && <LastChanges />}
    </div>
  );
}
