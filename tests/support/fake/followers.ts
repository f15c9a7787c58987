import { createChanges } from '../../../lib/users/changes/changes.ts';
import type { ShownChange } from '../../../lib/users/changes/feed.ts';
import type { Database } from '../../../lib/users/database.ts';
import { represent } from '../../../lib/users/user.ts';
import { HISTORY_DAYS } from '../service.ts';
import type { Scheduler } from './scheduler.ts';
import { differ } from './steps.ts';
import type { Write } from './writes.ts';

const nameOf = ({ id, version }: Pick<Write, 'id' | 'version'>) => `${id} ${version}`;

/** Clients that follow the feed of changes in pages of random sizes. All but one begin in the middle. */
export class Followers {
  private readonly feeds: { isWhole: boolean; seen: ShownChange[] }[] = [];
  private readonly scheduler: Scheduler;

  constructor(scheduler: Scheduler) {
    this.scheduler = scheduler;
  }

  /** Follows until nobody writes any more, and then to the end of the feed. @param isBusy whether somebody still writes */
  async follow(database: Database, isWhole: boolean, isBusy: () => boolean, lasts: () => Promise<void>): Promise<void> {
    const { scheduler } = this;
    const { feed } = createChanges(database, HISTORY_DAYS);
    const seen: ShownChange[] = [];
    this.feeds.push({ isWhole, seen });
    if (!isWhole) await database.runtime.sleep(scheduler.random() * 10_000);
    let after = isWhole ? undefined : (await feed({ after: 'now', size: 1 })).next;
    for (let isLast = false; ; ) {
      const { changes, next } = await feed({ after, size: 1 + scheduler.int(6) });
      seen.push(...changes);
      after = next;
      if (changes.length > 0) continue;
      if (isLast) return;
      if (isBusy()) await database.runtime.sleep(scheduler.random() * 1_000);
      else {
        await lasts();
        isLast = true;
      }
    }
  }

  /** Compares what the clients have seen with what was written. */
  check(writes: readonly Write[]): void {
    for (const { isWhole, seen } of this.feeds) {
      const names = seen.map(nameOf);
      differ('changes that come once', new Set(names).size, names.length);
      if (isWhole) differ('all changes', names.toSorted(), writes.map(nameOf).sort());
      for (const id of new Set(writes.map((write) => write.id))) {
        const versionsIn = (all: readonly Pick<Write, 'id' | 'version'>[]) =>
          all.flatMap((each) => (each.id === id ? [each.version] : []));
        const [got, own] = [versionsIn(seen), versionsIn(writes)];
        differ('changes of a user in order', got, own.slice(own.length - got.length));
      }
      for (const change of seen) {
        const write = writes.find((each) => nameOf(each) === nameOf(change));
        if (change.type !== 'deleted')
          differ('a user after a change', change.user && represent(change.user), write?.user);
      }
    }
  }
}
