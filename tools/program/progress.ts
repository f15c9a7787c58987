import { SingleBar } from 'cli-progress';
import { systemRuntime } from '../../lib/ground/index.ts';
import { say } from './stop.ts';

/** The interval between lines if there is no terminal. */
const NO_TTY_SCHEDULE_MS = 10_000;

/** A bar on standard error with the rate and the time left, or counts alone if the total is unknown. */
function startBar(what: string, total: number | undefined): SingleBar {
  const [left, bar] = total === undefined ? ['', ''] : [', {eta_formatted} left', '{bar} {percentage} % '];
  const shown = new SingleBar({
    format: `${bar}{count} ${what}, {rate} per second${left}`,
    noTTYOutput: true,
    notTTYSchedule: NO_TTY_SCHEDULE_MS,
    etaBuffer: 1_000,
  });
  shown.start(total ?? 1, 0, { count: 0, rate: 0 });
  return shown;
}

export type Progress = ReturnType<typeof createProgress>;

/** The progress of a program, which counts one thing after another. @param leave is called before a signal ends it */
export function createProgress(leave: () => void = () => undefined) {
  let [shown, bar, start]: [string, SingleBar | undefined, number] = ['', undefined, 0];
  const stop = () => {
    bar?.stop();
    bar = undefined;
  };
  // Otherwise the terminal would be left without a wrap of lines.
  for (const signal of ['SIGINT', 'SIGTERM'] as const)
    process.once(signal, () => {
      stop();
      leave();
      process.kill(process.pid, signal);
    });
  return {
    /** How many are done, and how far that is in the unit of `total`. */
    update(what: string, count: number, total?: number, value = count): void {
      if (what !== shown) {
        stop();
        [shown, start] = [what, systemRuntime.monotonic()];
      }
      bar ??= startBar(what, total);
      if (total !== undefined) bar.setTotal(Math.max(total, value));
      const seconds = Math.max(0.001, (systemRuntime.monotonic() - start) / 1_000);
      bar.update(value, { count, rate: Math.round(count / seconds) });
    },
    /** A bar at a terminal would overwrite it. */
    say(sentence: string): void {
      if (process.stderr.isTTY) stop();
      say(sentence);
    },
    stop,
  };
}
