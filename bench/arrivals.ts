/** How many requests of a function meet a new container, by when they come. */
import { WORKING_DAYS } from './desk.ts';

const HOURS = 10 * WORKING_DAYS;
/** Seconds: of a request, for how long Lambda keeps an idle container, and for how long a container lives at most. */
const REQUEST = 0.1;
const KEPT = [300, 600] as const;
const LIFE = [3_600, 10_800] as const;
/** More would not change the share. */
const MOST_ARRIVALS = 100_000;

/** Always the same numbers: a linear congruential generator (Numerical Recipes). */
function drawn(): () => number {
  let state = 1;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return (state + 0.5) / 2 ** 32;
  };
}

/** A container: when its last request has ended, until when it is kept then, and when it ends in any case. */
interface Container {
  free: number;
  kept: number;
  end: number;
}

/**
 * The share of new containers: requests come at any time of the working hours alike (Poisson), and take the container that was busy last.
 *
 * @param requests in a month
 */
export function newContainers(requests: number): number {
  if (requests === 0) return 0;
  const random = drawn();
  const between = ([least, most]: readonly [number, number]) => least + random() * (most - least);
  const arrivals = Math.min(MOST_ARRIVALS, Math.ceil(requests));
  let [time, made] = [0, 0];
  let containers: Container[] = [];
  for (let i = 0; i < arrivals; i++) {
    time -= (Math.log(random()) * HOURS * 3_600) / requests;
    containers = containers.filter(({ kept, end }) => kept > time && end > time);
    const idle = containers.filter(({ free }) => free <= time).sort((a, b) => b.free - a.free)[0];
    const own = idle ?? { free: 0, kept: 0, end: time + between(LIFE) };
    if (!idle) {
      made++;
      containers.push(own);
    }
    Object.assign(own, { free: time + REQUEST, kept: time + REQUEST + between(KEPT) });
  }
  return made / arrivals;
}
