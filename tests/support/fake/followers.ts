import { createChanges } from '../../../lib/users/changes/changes.ts';
import type { Database } from '../../../lib/users/database.ts';
import { represent } from '../../../lib/users/user.ts';
import type { ModelUser } from '../model.ts';
import { HISTORY_DAYS } from '../service.ts';
import type { Scheduler } from './scheduler.ts';
import { differ } from './steps.ts';
import type { Write } from './writes.ts';

interface Seen {
  id: number;
  version: number;
  user: ModelUser | undefined;
  type: string;
}

const nameOf = ({ id, version }: Pick<Write, 'id' | 'version'>) => `${id} ${version}`;

/**
 * Clients that follow the feed of changes. They poll pages of random sizes, sometimes die before they store the token of a
 * page, and all but one begin in the middle. Another process erases histories.
 */
export class Followers {
  private readonly feeds: { isWhole: boolean; seen: Seen[] }[] = [];
  private readonly erased = new Set<number>();
  private readonly scheduler: Scheduler;

  constructor(scheduler: Scheduler) {
    this.scheduler = scheduler;
  }

  private async page(database: Database, after: string | undefined, size: number) {
    const { changes, next } = await createChanges(database, HISTORY_DAYS).feed({ after, size });
    const seen = changes.map(({ id, version, type, user }) => ({
      id,
      version,
      type,
      user: user && (represent(user) as ModelUser),
    }));
    return { seen, next };
  }

  /** Follows until nobody writes any more, and then to the end of the feed. @param isBusy whether somebody still writes */
  async follow(database: Database, isWhole: boolean, isBusy: () => boolean, lasts: () => Promise<void>): Promise<void> {
    const { random, int } = { random: this.scheduler.random, int: (below: number) => this.scheduler.int(below) };
    const follower = { isWhole, seen: [] as Seen[] };
    this.feeds.push(follower);
    if (!isWhole) await database.runtime.sleep(random() * 10_000);
    let stored = isWhole ? undefined : (await this.page(database, 'now', 1)).next;
    for (let isLast = false; ; ) {
      const { seen, next } = await this.page(database, stored, 1 + int(6));
      // As if it had died before it stored the token: it reads the same again.
      if (random() < 0.2) {
        const again = await this.page(database, stored, seen.length || 1);
        differ('the same page again', again.seen.slice(0, seen.length).map(nameOf), seen.map(nameOf));
        continue;
      }
      follower.seen.push(...seen);
      stored = next;
      if (seen.length > 0) continue;
      if (isLast) return;
      if (isBusy()) await database.runtime.sleep(random() * 1_000);
      else {
        await lasts();
        isLast = true;
      }
    }
  }

  async erase(database: Database, writes: () => readonly Write[], isBusy: () => boolean): Promise<void> {
    while (isBusy()) {
      await database.runtime.sleep(this.scheduler.random() * 5_000);
      const id = writes()[this.scheduler.int(writes().length)]?.id;
      if (id === undefined || this.erased.size === 2) continue;
      this.erased.add(id);
      const past = writes().filter((write) => write.id === id);
      await createChanges(database, HISTORY_DAYS).erase(id);
      const left = await this.newest(database, id);
      const erased = past.map(({ version }) => version);
      differ(
        'what is left of an erased past',
        left.filter((version) => erased.includes(version)),
        [],
      );
    }
  }

  private async newest(database: Database, id: number): Promise<number[]> {
    const { changes } = await createChanges(database, HISTORY_DAYS).history({ id, before: undefined, size: 500 });
    return changes.map(({ version }) => version);
  }

  /** Compares what the clients have seen with what was written. */
  async check(database: Database, writes: readonly Write[]): Promise<void> {
    const versions = new Map<number, number[]>();
    for (const { id, version } of writes) versions.set(id, [version, ...(versions.get(id) ?? [])]);
    for (const { isWhole, seen } of this.feeds) {
      const names = seen.map(nameOf);
      differ('changes that come once', new Set(names).size, names.length);
      const wanted = writes.map(nameOf).sort();
      if (isWhole) differ('all changes', names.toSorted(), wanted);
      for (const [id, own] of versions) {
        const got = seen.filter((change) => change.id === id).map(({ version }) => version);
        differ('changes of a user in order', got, own.toReversed().slice(own.length - got.length));
      }
      for (const change of seen) {
        const write = writes.find((each) => nameOf(each) === nameOf(change));
        if (change.user && change.type !== 'deleted') differ('a user after a change', change.user, write?.user);
        if (!change.user && !this.erased.has(change.id)) throw new Error(`${nameOf(change)} lacks its user`);
      }
    }
    for (const [id, own] of versions) {
      const got = await this.newest(database, id);
      if (!this.erased.has(id)) differ('the history of a user', got, own);
      else differ('the history after it was erased', got, own.slice(0, got.length));
    }
  }
}
