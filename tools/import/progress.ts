import { SingleBar } from 'cli-progress';
import type { Runtime } from '../../lib/runtime.ts';

/** The interval between lines if there is no terminal. */
const NO_TTY_SCHEDULE_MS = 10_000;

export interface Progress {
  /** The progress in the unit of `total`, and the number of users. */
  update(value: number, users: number): void;
  stop(): void;
}

/** A bar on standard error with the rate and the time left, or only counts if the total is unknown. */
export function showProgress(total: number | undefined, { monotonic }: Pick<Runtime, 'monotonic'>): Progress {
  const [left, bar] = total === undefined ? ['', ''] : [', {eta_formatted} left', '{bar} {percentage} % '];
  const shown = new SingleBar({
    format: `${bar}{users} users, {rate} per second${left}`,
    noTTYOutput: true,
    notTTYSchedule: NO_TTY_SCHEDULE_MS,
    etaBuffer: 1_000,
  });
  const start = monotonic();
  shown.start(total ?? 1, 0, { users: 0, rate: 0 });
  return {
    update(value, users) {
      const seconds = Math.max(0.001, (monotonic() - start) / 1_000);
      shown.update(value, { users, rate: Math.round(users / seconds) });
    },
    stop: () => shown.stop(),
  };
}
