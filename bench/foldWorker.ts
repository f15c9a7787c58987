/** The thread of the fold. It has its own client, as the function has. Its data is the address of the store. */
import { setTimeout } from 'node:timers/promises';
import { workerData } from 'node:worker_threads';
import { createFold } from '../lib/users/fold/fold.ts';
import { PAUSE_MS } from '../tools/local/foldTimer.ts';
import { connectTo, HISTORY_DAYS } from './data.ts';

/** As long as a call may take at a stage. */
const RUN_MS = 90_000;

const fold = createFold(connectTo(String(workerData)), { historyDays: HISTORY_DAYS });
for (;;) {
  await fold.run(RUN_MS);
  await setTimeout(PAUSE_MS);
}
