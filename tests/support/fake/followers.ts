import type { FeedPage, ShownChange } from '../../../lib/changes/shown.ts';
import type { Database } from '../../../lib/users/database.ts';
import { represent } from '../../../lib/users/user.ts';
import { changesOf } from '../service.ts';
import type { Scheduler } from './scheduler.ts';
import { differ } from './steps.ts';
import type { Write } from './writes.ts';

const nameOf = ({ id, version }: Pick<Write, 'id' | 'version'>) => `${id} ${version}`;

/** Clients that follow the feed of changes in pages of random sizes, and read it back now and then. All but one begin in the middle. */
export class Followers {
  private readonly feeds: { isWhole: boolean; seen: ShownChange[] }[] = [];
  /** The changes that followers read backwards beside writers. */
  private readonly backs: ShownChange[][] = [];
  private readonly scheduler: Scheduler;

  constructor(scheduler: Scheduler) {
    this.scheduler = scheduler;
  }

  private async readBack({ feed }: ReturnType<typeof changesOf>): Promise<void> {
    const seen: ShownChange[] = [];
    for (let before: string | undefined = 'now'; before !== undefined; ) {
      const page: FeedPage = await feed({ before, size: 1 + this.scheduler.int(6) });
      seen.push(...page.changes);
      before = page.next;
    }
    this.backs.push(seen);
  }

  /** Follows until nobody writes any more, and then to the end of the feed. @param isBusy whether somebody still writes */
  async follow(database: Database, isWhole: boolean, isBusy: () => boolean, lasts: () => Promise<void>): Promise<void> {
    const { scheduler } = this;
    const changes = changesOf(database);
    const { feed } = changes;
    const seen: ShownChange[] = [];
    this.feeds.push({ isWhole, seen });
    if (!isWhole) await database.runtime.sleep(scheduler.random() * 10_000);
    let after = isWhole ? undefined : (await feed({ after: 'now', size: 1 })).next;
    for (let isLast = false; ; ) {
      const page: FeedPage = await feed({ after, size: 1 + scheduler.int(6) });
      seen.push(...page.changes);
      after = page.next;
      if (page.changes.length > 0) continue;
      await this.readBack(changes);
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
    const whole = this.feeds.find(({ isWhole }) => isWhole)?.seen ?? [];
    for (const seen of this.backs)
      differ('changes back', seen.map(nameOf).reverse(), whole.slice(0, seen.length).map(nameOf));
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
