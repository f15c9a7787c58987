import { AsyncLocalStorage } from 'node:async_hooks';
import { createDynamo } from '../../../lib/dynamodb/client.ts';
import type { Runtime } from '../../../lib/runtime.ts';
import type { Database } from '../../../lib/users/database.ts';
import { SIZES, type Sizes } from '../../../lib/users/sizes.ts';
import { checkCounts } from './counts.ts';
import { FAULTS, goOn } from './faults.ts';
import { Scheduler } from './scheduler.ts';
import { attach, type Reached } from './sdk.ts';
import { FakeStore, type Line, TABLES } from './store.ts';

export interface ChaosOptions {
  seed: number;
  operations: number;
  clients?: number;
  /** Of a hundred attempts, how many meet a fault. */
  faultPercent?: number;
}

/** Counts of events, so that a test can check that enough happened. */
export interface ChaosReport {
  attempts: number;
  faults: number;
  deaths: number;
  statuses: Record<string, number>;
  users: number;
  /** The number of folded batches. */
  folds: number;
}

export const CHAOS_SIZES: Sizes = {
  ...SIZES,
  nodeBytes: 400,
  segmentUsers: 12,
  sumUsers: 40,
  nearUsers: 4,
};

const SINGLE = FAULTS.filter(({ isLasting }) => !isLasting);
const DEATHS = SINGLE.filter(({ name }) => name.startsWith('the process dies'));
const OTHERS = SINGLE.filter((fault) => !DEATHS.includes(fault));

/** The process that runs at the moment. All containers share the handlers, so these cannot know it. */
const current = new AsyncLocalStorage<{ process: string; line: Line }>();

let running: ChaosCourse | undefined;

const course = (): ChaosCourse => {
  if (!running) throw new Error('There is no course');
  return running;
};

/** The store of the course, and the line of the process that calls. */
export const reachedNow = (): Reached => {
  const here = current.getStore();
  if (!here) throw new Error('Work of no process');
  return { store: course().store, line: here.line };
};

export const chaosRuntime: Runtime = {
  now: () => running?.scheduler.now() ?? 0,
  monotonic: () => running?.scheduler.now() ?? 0,
  random: () => course().scheduler.random(),
  sleep: (milliseconds) => course().scheduler.turn(current.getStore()?.process ?? '', milliseconds),
};

/** A store whose attempts meet faults, and containers that die. Handlers are loaded once, so there is one course at a time. */
export class ChaosCourse {
  readonly scheduler: Scheduler;
  readonly store: FakeStore;
  readonly report: ChaosReport = { attempts: 0, faults: 0, deaths: 0, statuses: {}, users: 0, folds: 0 };
  private readonly faultPercent: number;
  private containers = 0;
  private changes = 0;

  constructor({ seed, faultPercent = 30 }: ChaosOptions) {
    this.faultPercent = faultPercent;
    this.scheduler = new Scheduler(seed);
    const { random, now } = this.scheduler;
    this.store = new FakeStore({ now, lag: () => random() * 1_800, itemsPerPage: 40 });
    this.store.onChange = () => {
      if (++this.changes % 50 === 0) checkCounts(this.store);
    };
    running = this;
  }

  end(): void {
    running = undefined;
  }

  pick<Value>(values: readonly Value[]): Value {
    return values[this.scheduler.int(values.length)] as Value;
  }

  databaseWith(line: Line): Database {
    const dynamo = createDynamo({ endpoint: 'http://127.0.0.1:1', runtime: chaosRuntime });
    return {
      dynamo: attach(dynamo, () => ({ store: this.store, line })),
      tables: TABLES,
      runtime: chaosRuntime,
      sizes: CHAOS_SIZES,
    };
  }

  /** Runs a function in a container of its own, which may die without a response. */
  inContainer<Result>(run: () => Promise<Result>): Promise<Result | 'died'> {
    return new Promise((resolve, reject) => {
      const process = `container${this.containers++}`;
      const line = this.lineOf(process, () => resolve('died'));
      current.run({ process, line }, () => run().then(resolve, reject));
    });
  }

  /** Runs a function without faults. */
  inPeace<Result>(process: string, run: (database: Database) => Promise<Result>): Promise<Result> {
    const line: Line = { around: (_, execute) => execute(), pause: async () => {} };
    return current.run({ process, line }, () => run(this.databaseWith(line)));
  }

  /** The line of one process, until it dies. */
  private lineOf(process: string, onDeath: () => void): Line {
    const { scheduler, report } = this;
    const { random, now } = scheduler;
    let outageUntil = 0;
    const die = () => {
      report.deaths++;
      scheduler.kill(process);
      onDeath();
    };
    const later = (run: () => Promise<unknown>) => {
      scheduler
        .turn('late', random() * 5_000)
        .then(run)
        .catch(() => {});
    };
    return {
      around: async (call, execute) => {
        await scheduler.turn(process);
        goOn(call);
        report.attempts++;
        if (random() < 0.002) outageUntil = now() + random() * 10_000;
        const applicable = OTHERS.filter(({ of }) => of.test(call.command));
        const isMet = now() < outageUntil || random() < this.faultPercent / 100;
        if (!isMet) return execute();
        report.faults++;
        const fault = random() < 0.03 ? this.pick(DEATHS) : this.pick(applicable);
        return fault.attempt(call, execute, { die, later });
      },
      pause: async (isWrite) => (isWrite || random() < 0.1 ? scheduler.turn(process, 0, now() + 20) : undefined),
    };
  }
}
