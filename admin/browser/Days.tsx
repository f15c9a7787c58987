import { dateDaysAgo, numberOf } from './time.ts';
import { listAddress } from './view.ts';

/** Four weeks, the day of today included. */
const DAYS = 28;

/** The first of the days, in UTC. */
export const firstDay = (): string => dateDaysAgo(DAYS - 1);

/** Of the bars in the picture, which has no unit. */
const [WIDTH, HEIGHT] = [4, 20];

/** How many users were created on each of the last days: a bar a day, which leads to them. */
export function Days({ counts }: { counts: ReadonlyMap<string | undefined, number> }) {
  const most = Math.max(...counts.values(), 1);
  const bars = Array.from({ length: DAYS }, (_, i) => {
    const [day, next] = [dateDaysAgo(DAYS - 1 - i), dateDaysAgo(DAYS - 2 - i)];
    const count = counts.get(day) ?? 0;
    if (count === 0) return undefined;
    const height = Math.max((HEIGHT * count) / most, 0.5);
    return (
      <a key={day} href={listAddress({ 'createdAt.gte': [day], 'createdAt.lt': [next] })}>
        <title>{`${day}: ${numberOf(count)}`}</title>
        <rect x={WIDTH * i} y={HEIGHT - height} width={WIDTH - 1} height={height} />
      </a>
    );
  });
  return (
    <section class="vstack gap-1">
      <svg class="days w-100" viewBox={`0 0 ${WIDTH * DAYS - 1} ${HEIGHT}`} preserveAspectRatio="none">
        <title>New users a day</title>
        {bars}
      </svg>
      <small class="text-light">
        New users a day, since {firstDay()} (UTC): at most {numberOf(most)}
      </small>
    </section>
  );
}
