import { useState } from 'preact/hooks';
import { read, type ValueCounts } from '../data/connection.ts';
import { go, shared, view } from '../data/state.ts';
import { counted, lazily, numberOf } from '../data/time.ts';
import { listAddress } from '../data/view.ts';
import { useReading } from '../parts/useReading.tsx';
import { COLUMNS, type Period, periodsUntil, stepOf, UNITS, type Unit } from './periods.ts';

interface Column extends Period {
  count: number;
}

const label = (options: Intl.DateTimeFormatOptions) =>
  new Intl.DateTimeFormat(undefined, { timeZone: 'UTC', ...options });

const labels = lazily(() => ({
  day: label({ weekday: 'short', day: 'numeric', month: 'short', year: 'numeric' }),
  week: label({ day: 'numeric', month: 'short', year: 'numeric' }),
  month: label({ month: 'long', year: 'numeric' }),
  under: { day: label({ day: 'numeric', month: 'short' }), month: label({ month: 'short', year: '2-digit' }) },
}));

/** "Wed 25 Nov 2026", "23–29 Nov 2026", "November 2026". */
const nameOf = (unit: Unit, { from, to }: Period): string =>
  labels()
    [unit].formatRange(Date.parse(from), Date.parse(to) - 1)
    .replaceAll(',', '');

const NOW = { day: 'Today', week: 'This week', month: 'This month' };

/** The text under a column, `ago` of them before the present one: Mondays, and each sixth week or month, as far as the texts have room. */
function markOf(unit: Unit, { from }: Period, ago: number): string | undefined {
  if (ago === 0) return NOW[unit];
  const isMarked = unit === 'day' ? ago > 4 && new Date(from).getUTCDay() === 1 : ago % 6 === 0;
  return isMarked ? labels().under[unit === 'month' ? 'month' : 'day'].format(Date.parse(from)) : undefined;
}

const percent = (share: number): string => `${100 * share}%`;

/** A column for each period, which leads to its users. The present one is pale, as it is not over. */
function Chart({ unit, columns }: { unit: Unit; columns: readonly Column[] }) {
  const [hot, setHot] = useState<number>();
  const most = Math.max(...columns.map(({ count }) => count), 1);
  const step = stepOf(most);
  const lines = Array.from({ length: 1 + Math.floor(most / step) }, (_, n) => n * step);
  const slot = 1 / columns.length;
  const shown = columns[hot ?? -1];
  return (
    <>
      {/* biome-ignore lint/a11y/noSvgWithoutTitle: its links have names */}
      <svg>
        {lines.map((count) => (
          <g key={count} class={count === 0 ? 'floor' : undefined}>
            <line x2="100%" y1={percent(1 - count / most)} y2={percent(1 - count / most)} />
            <text x="-8" y={percent(1 - count / most)} dy="4" text-anchor="end">
              {count > 0 && numberOf(count)}
            </text>
          </g>
        ))}
        {columns.map((column, at) => {
          const { key, from, to, count } = column;
          const ago = columns.length - 1 - at;
          return (
            <g key={key}>
              <a
                href={listAddress({ 'createdAt.gte': [from], 'createdAt.lt': [to] })}
                aria-label={`${nameOf(unit, column)}, ${counted(count, 'user')}`}
                class={ago === 0 ? 'present' : undefined}
                onMouseEnter={() => setHot(at)}
                onMouseLeave={() => setHot(undefined)}
                onFocus={() => setHot(at)}
                onBlur={() => setHot(undefined)}
              >
                <rect class="room" x={percent(at * slot)} width={percent(slot)} height="100%" />
                <rect
                  class="column"
                  x={percent((at + 0.16) * slot)}
                  y={percent(1 - count / most)}
                  width={percent(0.68 * slot)}
                  height={percent(count / most)}
                  rx="2"
                />
              </a>
              <text
                x={percent(ago === 0 ? 1 : (at + 0.5) * slot)}
                y="100%"
                dy="18"
                text-anchor={ago === 0 ? 'end' : 'middle'}
              >
                {markOf(unit, column, ago)}
              </text>
            </g>
          );
        })}
      </svg>
      {shown && hot !== undefined && (
        <div
          class="tip"
          aria-hidden="true"
          style={{
            left: `clamp(5rem, ${percent((hot + 0.5) * slot)}, 100% - 7rem)`,
            bottom: `calc(${percent(shown.count / most)} + 6px)`,
          }}
        >
          {nameOf(unit, shown)} · <b>{numberOf(shown.count)}</b>
        </div>
      )}
    </>
  );
}

export const sumOf = (columns: readonly Column[]): number => columns.reduce((sum, { count }) => sum + count, 0);

/** How many users were created in each of the last periods. */
export function useNew(unit: Unit) {
  return useReading(`${unit} ${shared.edits}`, async (signal) => {
    const periods = periodsUntil(unit, COLUMNS[unit], Date.now());
    const by = `createdAt.${unit}` as const;
    const { counts } = await read<ValueCounts>('/counts', { by, 'createdAt.gte': periods[0]?.from ?? '' }, signal);
    const known = new Map(counts.map(({ [by]: key, count }) => [key, count]));
    return { unit, columns: periods.map((period) => ({ ...period, count: known.get(period.key) ?? 0 })) };
  });
}

const unitOf = (text: string): Unit => UNITS.find((unit) => unit === text) ?? 'day';

/** New users by day, week or month. Days are those of UTC. */
export function NewUsers() {
  const asked = unitOf(view.per);
  const { value, isLoading, failure, trouble } = useNew(asked);
  // A unit that could not be read is not shown as the chosen one.
  const chosen = failure ? value?.unit : asked;
  return (
    <section class="new">
      <header class="hstack">
        <h2>New users</h2>
        {value && (
          <small role="status">
            {numberOf(sumOf(value.columns))} in {counted(value.columns.length, value.unit)}
          </small>
        )}
        <fieldset class="segments end">
          <legend class="unseen">New users a</legend>
          {UNITS.map((unit) => (
            <label key={unit}>
              <input
                type="radio"
                name="per"
                checked={unit === chosen}
                onChange={() => go({ show: 'overview', per: unit === 'day' ? '' : unit }, 'replaceState')}
              />
              {unit.charAt(0).toUpperCase() + unit.slice(1)}
            </label>
          ))}
        </fieldset>
      </header>
      {trouble}
      {value && (
        <div class="chart" aria-busy={isLoading}>
          <Chart unit={value.unit} columns={value.columns} />
        </div>
      )}
    </section>
  );
}
