import { dateDaysAgo, numberOf } from './time.ts';
import { listAddress } from './view.ts';

/** Four weeks, the day of today included. */
const DAYS = 28;

/** The first of the days, in UTC. */
export const firstDay = (): string => dateDaysAgo(DAYS - 1);

/** How many users were created on each of the last days: a bar a day, which leads to them. */
export function Days({ counts }: { counts: ReadonlyMap<string | undefined, number> }) {
  const most = Math.max(...counts.values(), 1);
  const bars = Array.from({ length: DAYS }, (_, i) => {
    const ago = DAYS - 1 - i;
    const [day, next] = [dateDaysAgo(ago), dateDaysAgo(ago - 1)];
    const count = counts.get(day) ?? 0;
    if (count === 0) return undefined;
    const height = Math.max(count / most, 0.025);
    return (
      <a key={day} href={listAddress({ 'createdAt.gte': [day], 'createdAt.lt': [next] })}>
        <title>{`${day}: ${numberOf(count)}`}</title>
        <rect x={i} y={1 - height} width={0.75} height={height} />
      </a>
    );
  });
  return (
    <section class="vstack gap-1">
      <svg class="days w-100" viewBox={`0 0 ${DAYS} 1`} preserveAspectRatio="none">
        <title>New users a day</title>
        {bars}
      </svg>
      <small class="text-light">
        New users a day, since {firstDay()} (UTC): at most {numberOf(most)}
      </small>
    </section>
  );
}
