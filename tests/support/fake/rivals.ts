import { ServiceError, withDeadline } from '../../../lib/ground/index.ts';
import { MOST_PARTS } from '../../../lib/replica/index.ts';
import { partitionsOf } from '../../../lib/replica/internals.ts';
import { LIMITS } from '../../../lib/users/database.ts';
import { userError } from '../../../lib/users/errors.ts';
import { USER_ROWS } from '../../../lib/users/rows.ts';
import { createUserStore } from '../../../lib/users/store.ts';
import { pickFields } from '../../../lib/users/user.ts';
import { pick } from './drawn.ts';
import { inProgress, noAnswer } from './faults.ts';
import { Scheduler } from './scheduler.ts';
import { usersOf } from './steps.ts';
import { FakeStore, type Line, TABLES } from './store.ts';

/** AWS refuses what was signed earlier. */
const SIGNED_MS = 300_000;
/** A function has this time for a request. */
const REQUEST_MS = 14_000;

const EXTERNAL_IDS = ['a', 'b', undefined];

type Users = ReturnType<typeof createUserStore>;

/** The answers to clients, the number of tokens that were spent, and that of attempts that were late. */
export interface RivalsReport {
  done: number;
  refused: number;
  unknown: number;
  spent: number;
  late: number;
}

/** The answer to a write. With an Idempotency-Key the client asks again. */
type Told = 'done' | 'refused' | 'unknown';

/** How many writes of a name there may be. */
function allowed(told: readonly Told[]): [least: number, most: number] {
  if (told.includes('done')) return [1, 1];
  return told.includes('unknown') ? [0, 1] : [0, 0];
}

/**
 * Clients that write the same few users and values, while attempts of their transactions are lost, or arrive as late as their signatures
 * allow. Each write has a name, which its entry in the journal has as the writer.
 */
export class Rivals {
  private readonly scheduler: Scheduler;
  private readonly store: FakeStore;
  private readonly told = new Map<string, Told[]>();
  private readonly gone: number[] = [];
  private names = 0;
  readonly report: RivalsReport = { done: 0, refused: 0, unknown: 0, spent: 0, late: 0 };

  constructor(seed: number) {
    this.scheduler = new Scheduler(seed);
    this.store = new FakeStore({ now: this.scheduler.now });
  }

  private usersFor(process: string): Users {
    const line: Line = {
      around: (call, execute) => this.send(process, call.command === 'TransactWriteCommand', execute),
      pause: async () => {},
    };
    const runtime = this.scheduler.runtimeOf(process);
    return createUserStore({
      dynamo: this.store.client(line),
      tables: TABLES,
      runtime,
      limits: LIMITS,
      rows: USER_ROWS,
    });
  }

  /** Of the attempts of a transaction some never arrive, some lose their answer, and some are late. */
  private async send(process: string, isTransaction: boolean, execute: () => Promise<unknown>): Promise<unknown> {
    const { scheduler, report } = this;
    const { random } = scheduler;
    await scheduler.turn(process, random() < 0.2 ? random() * 3_000 : 0);
    const chance = isTransaction ? random() : 1;
    if (chance >= 0.36) return execute();
    if (chance >= 0.3) throw inProgress();
    if (chance < 0.2) {
      report.late++;
      const delay = random() * (random() < 0.3 ? SIGNED_MS : 4_000);
      void scheduler
        .turn('late', delay)
        .then(execute)
        .catch(() => {});
    } else if (chance < 0.25) await execute().catch(() => {});
    await scheduler.turn(process, random() * 1_000);
    throw noAnswer();
  }

  /** One request of a client, by its name. */
  private async ask(users: Users, name: string): Promise<unknown> {
    const { scheduler, gone } = this;
    const present = usersOf(this.store);
    const fields = pickFields({ name: `${name} ${this.names}`, externalId: pick(scheduler, EXTERNAL_IDS) });
    const origin = { by: name };
    const someone = pick(scheduler, present)?.id;
    const chance = scheduler.random();
    if (chance < 0.1 && gone.length > 0) return users.createWithId(pick(scheduler, gone), fields, origin);
    if (chance < 0.2)
      return users.upsert(
        fields.externalId ?? 'c',
        { ...fields, externalId: fields.externalId ?? 'c' },
        () => {},
        origin,
      );
    if (someone === undefined || chance < 0.4) return users.create(fields, origin);
    const version = scheduler.random() < 0.3 ? present.find(({ id }) => id === someone) : undefined;
    const check = ({ name: current }: { name: string }) => {
      if (version && current !== version.name) throw userError('precondition-failed', 'It has changed');
    };
    if (chance < 0.7) {
      gone.push(someone);
      return users.delete(someone, check, origin);
    }
    const change = (current: { name: string }) => {
      check(current);
      return fields;
    };
    return users.update(someone, change, origin);
  }

  /** A create with a key is sent again while its outcome is unknown. */
  private async createOnce(users: Users, name: string): Promise<void> {
    const fields = pickFields({ name, externalId: pick(this.scheduler, EXTERNAL_IDS) });
    const once = () => users.createOnce({ key: name, fields }, { by: name });
    while ((await this.tell(name, once)) === 'unknown' && this.scheduler.random() < 0.5);
  }

  private async tell(name: string, request: () => Promise<unknown>): Promise<Told> {
    const { scheduler, report } = this;
    const told = await withDeadline(scheduler.now() + REQUEST_MS, request).then(
      (): Told => 'done',
      (error: unknown): Told => {
        if (!(error instanceof ServiceError) || error.status === 500) throw error;
        return error.status < 500 ? 'refused' : 'unknown';
      },
    );
    report[told]++;
    this.told.set(name, [...(this.told.get(name) ?? []), told]);
    return told;
  }

  private async client(process: string, requests: number): Promise<void> {
    const { scheduler } = this;
    const users = this.usersFor(process);
    for (let i = 0; i < requests; i++) {
      await scheduler.turn(process, scheduler.random() * (scheduler.random() < 0.3 ? 60_000 : 500));
      const name = `w${this.names++}`;
      if (scheduler.random() < 0.1) await this.createOnce(users, name);
      else await this.tell(name, () => this.ask(users, name));
    }
  }

  /** @throws when a refused write happened, a done one did not or twice, or an unknown one twice */
  private check(): void {
    const partitions = partitionsOf(MOST_PARTS);
    const items = this.store.itemsOf('directory');
    const entries = items.filter(({ pk }) => partitions.includes(String(pk)));
    this.report.spent = items.filter(({ pk }) => String(pk).startsWith('spent:')).length;
    for (const [name, told] of this.told) {
      const count = entries.filter(({ by }) => by === name).length;
      const [least, most] = allowed(told);
      if (count < least || count > most) throw new Error(`${name} happened ${count} times, and was ${told.join(', ')}`);
    }
  }

  /** Writes until all attempts have arrived. */
  async run(clients: number, requests: number): Promise<RivalsReport> {
    const { scheduler } = this;
    for (let i = 0; i < clients; i++) scheduler.start(`client${i}`, () => this.client(`client${i}`, requests));
    await scheduler.run();
    scheduler.start('last', () => scheduler.turn('last', SIGNED_MS + 1));
    await scheduler.run();
    this.check();
    return this.report;
  }
}
