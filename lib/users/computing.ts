import type { Work } from '../columns/index.ts';
import { ensureTime, type Runtime } from '../ground/index.ts';
import { userError } from './errors.ts';

/** A question may compute for 1,000 milliseconds of processor time: the worst ones take less at some million users. Beyond that it is refused. */
const MOST_MS = 1_000;

/** Between two ticks a question computes for less. What takes longer is made once in a container, such as a column that is unpacked. */
const LONGEST_MS = 20;

/**
 * The computing of one question. No question is dear on purpose, because others wait meanwhile. It is measured in
 * processor time: a thread that waits for its turn, as on a machine with other work, is no dear question.
 *
 * @returns what throws 503 when the question has computed for too long, or the time of its request is over
 */
export function computing(runtime: Pick<Runtime, 'now' | 'processor'>): Work {
  let [last, computed] = [runtime.processor(), 0];
  return {
    tick: () => {
      ensureTime(runtime);
      const now = runtime.processor();
      computed += Math.min(now - last, LONGEST_MS);
      last = now;
      if (computed <= MOST_MS) return;
      const message = `The question computed for more than ${MOST_MS} milliseconds`;
      throw userError('too-long', message, { headers: { 'retry-after': '1' } });
    },
  };
}
