import { ServiceError } from '../../../lib/errors.ts';
import { createFold } from '../../../lib/users/fold/fold.ts';
import { readHead } from '../../../lib/users/journal/items.ts';
import { compareChanges } from '../../../lib/users/rebuild/compareChanges.ts';
import { toUser } from '../../../lib/users/userItem.ts';
import type { Invoke } from '../handlers.ts';
import { countsOf } from '../recount.ts';
import { HISTORY_DAYS } from '../service.ts';
import { ChaosClients } from './chaosClients.ts';
import { ChaosCourse, type ChaosOptions, type ChaosReport, chaosRuntime, reachedNow } from './chaosCourse.ts';
import { checkCounts } from './counts.ts';
import { foldAll, usersOf } from './steps.ts';

/** Folds in one container after another: each of them dies some time. */
async function keepFolding(course: ChaosCourse, isBusy: () => boolean): Promise<void> {
  while (isBusy()) {
    await course.inContainer(async () => {
      const database = course.databaseWith(reachedNow().line);
      const fold = createFold(database, { restMs: 0, historyDays: HISTORY_DAYS });
      while (isBusy()) {
        try {
          await fold.run(5_000);
        } catch (error) {
          if (!(error instanceof ServiceError && error.status === 503)) throw error;
        }
        await chaosRuntime.sleep(500);
      }
    });
  }
}

/** Checks that everything is exact after the last delayed attempt has arrived and indexes have caught up. */
async function checkAtRest(course: ChaosCourse): Promise<void> {
  await course.scheduler.turn('last', 30_000);
  await course.inPeace('last', async (database) => {
    const left = await foldAll(database, HISTORY_DAYS);
    const users = course.store.itemsOf('users').map(toUser);
    const { wrong } = await compareChanges(database, await readHead(database), users);
    if (wrong > 0) throw new Error(`${wrong} changes are missing or come twice`);
    if (left !== 0) throw new Error(`${left} entries are left`);
  });
  checkCounts(course.store);
}

/**
 * Clients of a service whose attempts meet faults (30 of 100 unless told), whose containers die, and whose indexes are late.
 * Each client compares the state with the responses that it got.
 *
 * @throws when an acknowledged write is lost, a write appears that nobody sent, or statistics are not exact
 */
export async function chaos(invoke: Invoke, options: ChaosOptions): Promise<ChaosReport> {
  const { operations, clients: count = 4 } = options;
  const course = new ChaosCourse(options);
  const { scheduler, store, report } = course;
  const clients = new ChaosClients(course, invoke);
  let busy = count;
  const isBusy = () => busy > 0;
  for (let i = 0; i < count; i++) {
    scheduler.start(`client${i}`, () => clients.work(i, count, operations).finally(() => busy--));
  }
  for (let i = 0; i < 2; i++) scheduler.start(`fold${i}`, () => keepFolding(course, isBusy));
  await scheduler.run(operations * 1_000);
  scheduler.start('last', () => checkAtRest(course));
  await scheduler.run();

  const users = usersOf(store);
  clients.checkAtEnd(users);
  report.users = users.length;
  report.folds = countsOf(store.itemsOf('directory')).epoch;
  course.end();
  return report;
}
