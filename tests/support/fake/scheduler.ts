import type { Runtime } from '../../../lib/runtime.ts';

/** Mulberry32: the same numbers for the same seed, everywhere. */
export function chanceOf(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}

interface Waiting {
  process: string;
  /** Not before this moment. */
  from: number;
  /** Goes first from this moment on. */
  by: number;
  go: () => void;
}

const settled = () => new Promise<void>((resolve) => setImmediate(resolve));

/** Far more than any course takes. */
const MAX_STEPS = 100_000;

/** A process may wait for something else than its turn, such as a module that is loaded. */
const MAX_IDLE = 1_000;

/** Milliseconds that a step takes. */
const STEP_MS = 2;

/**
 * Lets processes take turns by chance, one step at a time; time passes when a step is taken, or when everybody sleeps. A
 * seed gives the same course again.
 */
export class Scheduler {
  readonly random: () => number;
  time = 1_790_000_000_000;
  private waiting: Waiting[] = [];
  private readonly dead = new Set<string>();
  private readonly lives = new Map<string, number>();
  private favourite: string | undefined;

  constructor(seed: number) {
    this.random = chanceOf(seed);
  }

  readonly now = (): number => this.time;

  int(below: number): number {
    return Math.floor(this.random() * below);
  }

  /** Waits for a turn, which a dead process never gets. */
  turn(process: string, after = 0, by = Number.POSITIVE_INFINITY): Promise<void> {
    if (this.dead.has(process)) return new Promise(() => {});
    return new Promise((go) => {
      this.waiting.push({ process, from: this.time + after, by, go });
    });
  }

  /** Nothing of a process happens any more, not even an error. */
  kill(process: string): void {
    this.dead.add(process);
    this.waiting = this.waiting.filter((each) => each.process !== process);
  }

  /** A process whose time, chance and sleep are the scheduler's. */
  runtimeOf(process: string): Runtime {
    return {
      now: this.now,
      monotonic: this.now,
      random: this.random,
      sleep: (milliseconds) => this.turn(process, milliseconds),
    };
  }

  /** Starts a process; an error of it ends everything. */
  start(process: string, run: () => Promise<unknown>): void {
    const life = (this.lives.get(process) ?? 0) + 1;
    this.lives.set(process, life);
    this.running++;
    run().then(
      () => this.end(process),
      (error: unknown) => {
        this.failure ??= { error };
        this.end(process);
      },
    );
  }

  private running = 0;
  private failure: { error: unknown } | undefined;

  private end(process: string): void {
    if (!this.dead.has(process)) this.running--;
  }

  /** A process that was killed is not waited for. */
  forget(process: string): void {
    this.kill(process);
    this.running--;
  }

  private pick(): Waiting | undefined {
    const ready = this.waiting.filter(({ from }) => from <= this.time);
    if (ready.length === 0) return undefined;
    const urgent = ready.find(({ by }) => by <= this.time);
    const favourites = ready.filter(({ process }) => process === this.favourite);
    // Some run on for a while, others change at each step.
    const among = favourites.length > 0 && this.random() < 0.6 ? favourites : ready;
    return urgent ?? among[this.int(among.length)];
  }

  /** Until all processes have ended. @throws what one of them threw */
  async run(maxSteps = MAX_STEPS): Promise<void> {
    await settled();
    for (let [steps, idle] = [0, 0]; this.running > 0 && !this.failure; steps++) {
      if (steps === maxSteps) throw new Error('There is no end');
      const next = this.pick();
      if (next) {
        this.waiting.splice(this.waiting.indexOf(next), 1);
        this.favourite = next.process;
        this.time += STEP_MS;
        next.go();
        await settled();
      } else if (this.waiting.length > 0) {
        this.time = Math.max(this.time, Math.min(...this.waiting.map(({ from }) => from)));
      } else if (idle++ < MAX_IDLE) await settled();
      else throw new Error('Nobody goes on');
    }
    if (this.failure) throw this.failure.error;
  }
}
