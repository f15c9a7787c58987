import { SingleBar } from 'cli-progress';
import { systemRuntime } from '../../lib/runtime.ts';

/** The interval between lines if there is no terminal. */
const NO_TTY_SCHEDULE_MS = 10_000;

/** A bar on standard error with the rate and the time left, or only counts if the total is unknown. */
export function showProgress(what: string, total: number | undefined) {
  const [left, bar] = total === undefined ? ['', ''] : [', {eta_formatted} left', '{bar} {percentage} % '];
  const shown = new SingleBar({
    format: `${bar}{count} ${what}, {rate} per second${left}`,
    noTTYOutput: true,
    notTTYSchedule: NO_TTY_SCHEDULE_MS,
    etaBuffer: 1_000,
  });
  const start = systemRuntime.monotonic();
  shown.start(total ?? 1, 0, { count: 0, rate: 0 });
  return {
    /** How far it is in the unit of `total`, and how many are done. The total may be corrected. */
    update(value: number, count = value, corrected?: number): void {
      if (corrected !== undefined) shown.setTotal(corrected);
      const seconds = Math.max(0.001, (systemRuntime.monotonic() - start) / 1_000);
      shown.update(value, { count, rate: Math.round(count / seconds) });
    },
    stop: () => shown.stop(),
  };
}
