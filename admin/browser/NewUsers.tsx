import { useLayoutEffect, useRef, useState } from 'preact/hooks';
import { read, type ValueCounts } from './connection.ts';
import { columnsPer, type Period, periodsUntil, stepOf, UNITS, type Unit } from './periods.ts';
import { go, shared, view } from './state.ts';
import { counted, lazily, numberOf } from './time.ts';
import { useReading } from './useReading.tsx';
import { listAddress } from './view.ts';

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
function nameOf(unit: Unit, { from, to }: Period): string {
  const [first, last] = [Date.parse(from), Date.parse(to) - 1];
  if (unit === 'week') return labels().week.formatRange(first, last);
  return labels()[unit].format(first).replaceAll(',', '');
}

const NOW = { day: 'Today', week: 'This week', month: 'This month' };

/** Whether a column may have a text under it. */
const isMarked = (unit: Unit, { from }: Period): boolean => unit !== 'day' || new Date(from).getUTCDay() === 1;

const LEFT = 36;
const TOP = 12;
const BOTTOM = 24;
/** Texts under columns are so far from each other. */
const APART = 72;

/** The columns that have a text under them: the present one, and as many others as there is room for. */
function marksOf(unit: Unit, columns: readonly Column[], slot: number): ReadonlyMap<number, string> {
  const last = columns.length - 1;
  const marks = new Map([[last, NOW[unit]]]);
  let next = last * slot - APART;
  for (let at = last - 1; at >= 0; at--) {
    const column = columns[at];
    if (!column || at * slot > next || !isMarked(unit, column)) continue;
    marks.set(at, labels().under[unit === 'month' ? 'month' : 'day'].format(new Date(column.from)));
    next = at * slot - APART;
  }
  return marks;
}

/** The size of an element, in pixels, as it is now. */
function useSize() {
  const box = useRef<HTMLDivElement>(null);
  const [{ width, height }, setSize] = useState({ width: 0, height: 0 });
  useLayoutEffect(() => {
    const { current } = box;
    if (!current) return undefined;
    const look = () => setSize({ width: current.clientWidth, height: current.clientHeight });
    const observer = new ResizeObserver(look);
    observer.observe(current);
    look();
    return () => observer.disconnect();
  }, []);
  return { box, width, height };
}

/** A column for each period, which leads to its users. The present one is pale, as it is not over. */
function Chart({ unit, columns }: { unit: Unit; columns: readonly Column[] }) {
  const { box, width, height } = useSize();
  const [hot, setHot] = useState<number>();
  const most = Math.max(...columns.map(({ count }) => count), 1);
  const [step, slot, floor] = [stepOf(most), Math.max(width - LEFT, 0) / columns.length, height - BOTTOM];
  const yOf = (count: number) => floor - (count / most) * (floor - TOP);
  const lines = Array.from({ length: Math.floor(most / step) }, (_, n) => (n + 1) * step);
  const marks = marksOf(unit, columns, slot);
  const shown = hot === undefined ? undefined : columns[hot];
  return (
    <div ref={box} class="chart">
      {width > 0 && (
        // biome-ignore lint/a11y/noSvgWithoutTitle: its links have names
        <svg width={width} height={height}>
          {[0, ...lines].map((count) => (
            <g key={count} class={count === 0 ? 'floor' : undefined}>
              <line x1={LEFT} x2={width} y1={yOf(count)} y2={yOf(count)} />
              {count > 0 && (
                <text x={LEFT - 8} y={yOf(count) + 4} text-anchor="end">
                  {numberOf(count)}
                </text>
              )}
            </g>
          ))}
          {columns.map(({ key, from, to, count }, at) => {
            const x = LEFT + at * slot;
            const name = `${nameOf(unit, { key, from, to })}, ${counted(count, 'user')}`;
            const isLast = at === columns.length - 1;
            return (
              <a
                key={key}
                href={listAddress({ 'createdAt.gte': [from], 'createdAt.lt': [to] })}
                aria-label={name}
                class={isLast ? 'present' : undefined}
                onMouseEnter={() => setHot(at)}
                onMouseLeave={() => setHot(undefined)}
                onFocus={() => setHot(at)}
                onBlur={() => setHot(undefined)}
              >
                <rect class="room" x={x} y={0} width={slot} height={floor} />
                <rect
                  class="column"
                  x={x + slot * 0.16}
                  y={yOf(count)}
                  width={slot * 0.68}
                  height={floor - yOf(count)}
                  rx={Math.min(2, slot / 6)}
                />
              </a>
            );
          })}
          {[...marks].map(([at, mark]) => (
            <text
              key={at}
              x={at === columns.length - 1 ? width : LEFT + (at + 0.5) * slot}
              y={height - 6}
              text-anchor={at === columns.length - 1 ? 'end' : 'middle'}
            >
              {mark}
            </text>
          ))}
        </svg>
      )}
      {shown && hot !== undefined && (
        <div
          class="tip"
          aria-hidden="true"
          style={{
            left: `clamp(7rem, ${LEFT + (hot + 0.5) * slot}px, 100% - 7rem)`,
            bottom: `${height - yOf(shown.count) + 6}px`,
          }}
        >
          {nameOf(unit, shown)} · <b>{numberOf(shown.count)}</b>
        </div>
      )}
    </div>
  );
}

const sumOf = (columns: readonly Column[]): number => columns.reduce((sum, { count }) => sum + count, 0);

/** "12 % more than before". Empty if there was nobody before. */
function comparison(now: number, before: number): string {
  const percent = Math.round((now / before - 1) * 100);
  if (before === 0 || percent === 0) return before === 0 ? '' : ', as many as before';
  return `, ${numberOf(Math.abs(percent))} % ${percent > 0 ? 'more' : 'fewer'} than before`;
}

/** How many users were created in each of the last periods, and in as many before them. */
export function useNew(unit: Unit) {
  return useReading(`${unit} ${shared.edits}`, async (signal) => {
    const periods = periodsUntil(unit, 2 * columnsPer(unit), Date.now());
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
  const { value, isLoading, trouble } = useNew(asked);
  const columns = value?.columns ?? [];
  const [before, now] = [columns.slice(0, columns.length / 2), columns.slice(columns.length / 2)];
  return (
    <section class="new">
      <header class="hstack">
        <h2>New users</h2>
        {value && (
          <span class="text-light" role="status">
            {numberOf(sumOf(now))} in {counted(now.length, value.unit)}
            {comparison(sumOf(now), sumOf(before))}
          </span>
        )}
        <fieldset class="segments end">
          <legend class="unseen">New users a</legend>
          {UNITS.map((unit) => (
            <label key={unit}>
              <input
                type="radio"
                name="per"
                checked={unit === asked}
                onChange={() => go({ show: 'overview', per: unit === 'day' ? '' : unit }, 'replaceState')}
              />
              {unit.charAt(0).toUpperCase() + unit.slice(1)}
            </label>
          ))}
        </fieldset>
      </header>
      {trouble}
      {value && (
        <div aria-busy={isLoading}>
          <Chart unit={value.unit} columns={now} />
        </div>
      )}
    </section>
  );
}
