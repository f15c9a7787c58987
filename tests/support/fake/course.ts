import { KEEPER } from '../../../lib/changes/keep.ts';
import { createDynamo } from '../../../lib/dynamodb/index.ts';
import { type Runtime, ServiceError, unavailable } from '../../../lib/ground/index.ts';
import type { StoredBase } from '../../../lib/replica/internals.ts';
import type { Engine } from '../../../lib/search/index.ts';
import { type Database, LIMITS, type Limits } from '../../../lib/users/database.ts';
import { USER_ROWS } from '../../../lib/users/rows.ts';
import type { ModelUser } from '../model.ts';
import { pick } from './drawn.ts';
import { FakeEngine, withFault } from './engine.ts';
import { FAULTS, goOn, noAnswer } from './faults.ts';
import { Scheduler } from './scheduler.ts';
import { attach } from './sdk.ts';
import { never, usersOf } from './steps.ts';
import { type Call, FakeStore, type Line, TABLES } from './store.ts';
import { Writes } from './writes.ts';

export interface RaceOptions {
  seed: number;
  /** How many users there are at the start. */
  users?: number;
  writers?: number;
  writes?: number;
  readers?: number;
  reads?: number;
  folds?: number;
  /** How often all users are compared with lists, and sometimes put in the place of the base. */
  verifies?: number;
  /** How often many minutes pass at once. Now and then a process freezes for an hour then, and readers and writers rest for as long. */
  jumps?: number;
  /** How often the head is lost, or the whole directory. */
  losses?: number;
  /** By how much the clocks of folds and verifications are wrong at most, in milliseconds. */
  skewMs?: number;
  /** For how many days changes are kept. */
  historyDays?: number;
  /** How many clients follow the feed of changes. */
  followers?: number;
  /** The longest pause between two requests of a writer or a reader, in milliseconds. */
  pauseMs?: number;
  /** Nobody freezes, so most requests take less than a second. Queries are wide, so most writes concern them. */
  isBrisk?: boolean;
  /** These processes wait for seconds before many of their calls. */
  slow?: RegExp;
  /** The largest delay of an index. Entries are folded after 2,000 ms. */
  lagMs?: number;
  limits?: Partial<Limits>;
  /** In how many parts the journal lies from some moment on. */
  parts?: number;
  itemsPerPage?: number;
  /** How many clients compare the users with the responses to their requests, and how often each asks. */
  clients?: number;
  operations?: number;
  /** Lists come from an index, whose calls meet faults by this share, in percent, and which is away for a while now and then. */
  indexFaultPercent?: number;
  /** How many processes fill the index, and how often it is lost. */
  indexers?: number;
  indexLosses?: number;
  /** The share of attempts that meet a fault, in percent. If given, calls go through a client of the AWS SDK. */
  faultPercent?: number;
}

const NOTHING = {
  /** Answers during which nobody wrote, and others that were compared with every state that there can have been. */
  ...{ exact: 0, compared: 0 },
  crashes: 0,
  /** How often the users were compared, and how often the directory was lost, or its head. */
  ...{ verified: 0, lost: 0, beheaded: 0 },
  /** How many bases and lines there were. */
  ...{ bases: 0, lines: 0 },
  ...{ attempts: 0, faults: 0 },
  /** How the requests of clients ended, and how many of readers could not be answered. */
  ...{ done: 0, gone: 0, died: 0, unavailable: 0 },
  /** How many calls of an index have met a fault. */
  indexFaults: 0,
};

/** Counts of events, so that a test can check that enough happened. */
export type RaceReport = typeof NOTHING;

export const isStatus = (error: unknown, status: number): boolean =>
  error instanceof ServiceError && error.status === status;

const HOUR_MS = 3_600_000;

/** DynamoDB refuses attempts that were signed earlier: so a process that freezes for longer does so between two of them. */
const SIGNED_MS = 300_000;

const READS = new Set(['GetCommand', 'QueryCommand', 'ScanCommand']);

/** The course that the processes of a race share: the time, the store, all committed writes, and the report. */
export class Course {
  readonly scheduler: Scheduler;
  readonly store: FakeStore;
  readonly engine = new FakeEngine();
  readonly committed: Writes;
  /** The users after each commit. */
  readonly history: ModelUser[][] = [[]];
  readonly report: RaceReport = { ...NOTHING };
  readonly options: RaceOptions;
  /** Bases by name, with their lines. */
  private readonly bases = new Map<string, string>();
  /** The index is away until then. */
  private awayUntil = 0;
  /** How many writers and readers are not done yet. */
  busy = 0;

  constructor(options: RaceOptions) {
    this.options = options;
    this.scheduler = new Scheduler(options.seed);
    const { random, now } = this.scheduler;
    const { lagMs = 1_800, itemsPerPage = 7 } = options;
    this.store = new FakeStore({ now, lag: () => random() * lagMs, itemsPerPage });
    this.committed = new Writes(this.store);
    this.store.onChange = () => this.look();
  }

  /** All users, as the table has them. */
  truth(): ModelUser[] {
    return usersOf(this.store);
  }

  isBusy = (): boolean => this.busy > 0;

  /** Runs something that may be unavailable, if something is lost, repaired or fails in this course, or processes freeze for long. */
  async tolerating(run: () => Promise<unknown>): Promise<void> {
    const { losses, jumps, verifies, faultPercent, indexFaultPercent } = this.options;
    try {
      await run();
    } catch (error) {
      // A process makes a head, which is lost before it reads it: then it says that the head is gone.
      const isExpected = isStatus(error, 503) || (losses && isStatus(error, 500));
      if (!isExpected || !(losses || jumps || verifies || faultPercent || indexFaultPercent !== undefined)) throw error;
      this.report.unavailable++;
    }
  }

  /** @param onCrash without it the process never dies */
  databaseOf(process: string, onCrash?: () => void): Database {
    const { skewMs = 0 } = this.options;
    const skew = /^(fold|verify)/.test(process) ? this.scheduler.int(2 * skewMs + 1) - skewMs : 0;
    const { now, ...others } = this.scheduler.runtimeOf(process);
    const runtime = { ...others, now: () => now() + skew };
    return {
      dynamo: this.dynamoOf(process, runtime, onCrash),
      tables: TABLES,
      runtime,
      limits: { ...LIMITS, journalParts: this.options.parts ?? 1, ...this.options.limits },
      rows: USER_ROWS,
      keeper: KEEPER,
      historyDays: this.options.historyDays ?? 0,
    };
  }

  private dynamoOf(process: string, runtime: Runtime, onCrash: (() => void) | undefined) {
    const { store, options } = this;
    if (options.faultPercent === undefined) return store.client(this.lineOf(process, onCrash));
    const line = this.faultyLineOf(process, options.faultPercent, onCrash);
    return attach(createDynamo({ endpoint: 'http://127.0.0.1:1', runtime }), () => ({ store, line }));
  }

  /** The index as a process calls it: calls are late, and some come once more much later. */
  engineOf(process: string, onCrash?: () => void): Engine {
    const { scheduler, report, options } = this;
    const { random, now } = scheduler;
    const { indexFaultPercent = 0, isBrisk } = options;
    const nap = () => {
      if (random() < 0.02) return random() * 20_000;
      // Just below the second after which a reader looks at the head again.
      const isLate = /reader/.test(process) && random() < 0.5;
      return isLate ? random() * 900 : random() * (isBrisk ? 20 : 400);
    };
    return this.engine.of(async (request, execute) => {
      await scheduler.turn(process, nap());
      if (onCrash && random() < 0.01) {
        if (scheduler.kill(process)) onCrash();
        report.crashes++;
        return never();
      }
      if (request.path.includes('_bulk') && random() < 0.1) this.later(async () => execute());
      if (indexFaultPercent > 0 && random() < 0.001) this.awayUntil = now() + random() * 60_000;
      const isFault = now() < this.awayUntil || random() < indexFaultPercent / 100;
      if (isFault) report.indexFaults++;
      const answer = await (isFault ? withFault(now() < this.awayUntil ? 0 : random())(request, execute) : execute());
      await scheduler.turn(process, nap());
      return answer;
    });
  }

  private look(): void {
    const { base, line } = this.store.tables.directory?.get({ pk: 'journal', sk: '#head' }) ?? {};
    if (base) this.bases.set((base as StoredBase).name, String(line));
    this.report.bases = this.bases.size;
    this.report.lines = new Set(this.bases.values()).size;
    if (this.store.commits < this.history.length) return;
    this.history.push(this.truth());
    this.committed.note();
  }

  /** The line of a process, on which it freezes or dies, its writes are repeated, and others come in between. */
  private lineOf(process: string, onCrash?: () => void): Line {
    const { scheduler, report, options } = this;
    const { random, now } = scheduler;
    const crashes = (chance: number) => {
      if (!onCrash || random() >= chance) return false;
      if (scheduler.kill(process)) {
        report.crashes++;
        onCrash();
      }
      return true;
    };
    const nap = () => {
      if (options.slow?.test(process)) return random() < 0.2 ? random() * 12_000 : 0;
      if (options.isBrisk) return 0;
      return random() < 0.01 ? random() * 20_000 : random() < 0.05 ? random() * 1_000 : 0;
    };
    return {
      around: async ({ command }: Call, execute) => {
        const sent = now();
        await scheduler.turn(process, nap());
        if (command === 'UpdateCommand' && now() - sent > SIGNED_MS) throw unavailable('The signature has expired');
        if (crashes(0.004)) return never();
        const isWrite = !READS.has(command);
        if (isWrite && random() < 0.05) {
          // Its caller has stopped waiting for it, and this is the next attempt. A transaction repeats its attempts itself.
          this.later(execute);
          if (command === 'TransactWriteCommand') throw noAnswer();
        }
        const response = await execute();
        if (crashes(0.004)) return never();
        if (options.jumps && random() < 0.01) await scheduler.turn(process, HOUR_MS);
        if (random() < 0.3) await scheduler.turn(process, isWrite ? nap() : 0);
        return response;
      },
      async pause(isWrite) {
        if (isWrite && crashes(0.02)) return never();
        // One page of a query takes milliseconds. A batch of writes may take any time.
        if (isWrite) return scheduler.turn(process, nap());
        return random() < 0.2 ? scheduler.turn(process, 0, now() + 20) : undefined;
      },
    };
  }
  /** An attempt arrives, perhaps once more. */
  private later(execute: () => Promise<unknown>): void {
    const { random } = this.scheduler;
    this.scheduler
      .turn('late', random() * (random() < 0.2 ? SIGNED_MS : 5_000))
      .then(execute)
      .catch(() => {});
  }

  /** The line of a process whose attempts meet faults, and all of them for some seconds now and then. */
  private faultyLineOf(process: string, faultPercent: number, onCrash?: () => void): Line {
    const { scheduler, report } = this;
    const { random, now } = scheduler;
    let outageUntil = 0;
    const die = () => {
      if (!scheduler.kill(process)) return;
      report.crashes++;
      onCrash?.();
    };
    return {
      around: async (call, execute) => {
        await scheduler.turn(process);
        goOn(call);
        report.attempts++;
        if (random() < 0.002) outageUntil = now() + random() * 10_000;
        if (now() >= outageUntil && random() >= faultPercent / 100) return execute();
        report.faults++;
        const isDeath = onCrash !== undefined && random() < 0.03;
        const faults = FAULTS.filter(
          ({ name, of }) => of.test(call.command) && name.startsWith('the process dies') === isDeath,
        );
        return pick(scheduler, faults).attempt(call, execute, { die, later: (run) => this.later(run) });
      },
      pause: async (isWrite) => (isWrite || random() < 0.1 ? scheduler.turn(process, 0, now() + 20) : undefined),
    };
  }
}
