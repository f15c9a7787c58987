/** The limits of one question: how long it may compute, and how much it may hold. */
import type { Work } from '../columns/index.ts';
import { ensureTime, type Runtime } from '../ground/index.ts';
import { userError } from './errors.ts';

/**
 * A question may compute for 2,000 milliseconds of processor time: the worst ones take a quarter of that at a million users, and the first one for
 * words in a new container takes 1,200. Beyond that it is refused.
 */
const MOST_MS = 2_000;

/** Between two ticks a question computes for less. Longer work is done once in a container, such as unpacking a column. */
const LONGEST_MS = 20;

/** The bytes that a question may hold of unforeseeable size, such as combinations of texts: a container has seven times that. Beyond that it is refused. */
const MOST_BYTES = 1 << 28;

/**
 * The computing of one question. No question is dear on purpose, because others wait meanwhile. It is measured in
 * processor time: a thread that waits for its turn, as on a machine with other work, is no dear question.
 *
 * @returns what throws 503 when the question has computed for too long, or holds too much, or the time of its request is over
 */
export function computing(runtime: Pick<Runtime, 'now' | 'processor'>): Work {
  let [last, computed, held] = [runtime.processor(), 0, 0];
  const refuse = (message: string) => userError('too-long', message, { headers: { 'retry-after': '1' } });
  return {
    tick: () => {
      ensureTime(runtime);
      const now = runtime.processor();
      computed += Math.min(now - last, LONGEST_MS);
      last = now;
      if (computed > MOST_MS) throw refuse(`The question takes more than ${MOST_MS} milliseconds of processor time`);
    },
    hold: (bytes) => {
      held += bytes;
      if (held > MOST_BYTES) throw refuse(`The question needs more than ${MOST_BYTES >> 20} megabytes`);
    },
  };
}
