import { generateMersenne53Randomizer } from '@faker-js/faker';
import type { Runtime } from '../../../lib/ground/index.ts';
import { settled } from './steps.ts';

/** Random numbers from 0 to 1, the same for the same seed on every machine. */
export function chanceOf(seed: number): () => number {
  const randomizer = generateMersenne53Randomizer(seed);
  return () => randomizer.next();
}

interface Waiting {
  process: string;
  /** The earliest time of the turn. */
  from: number;
  /** The turn has priority from this time. */
  by: number;
  go: () => void;
}

/** A course that takes more steps does not end: none takes nearly as many. */
const MAX_STEPS = 100_000;

/** How often to wait for processes that wait for something other than their turn, such as the loading of a module. */
const MAX_IDLE = 1_000;

/** The duration of a step in milliseconds. */
const STEP_MS = 2;

/**
 * Lets processes take turns at random, one step at a time. Time passes with each step, or when all processes sleep. The same
 * seed gives the same course.
 */
export class Scheduler {
  readonly random: () => number;
  time = 1_790_000_000_000;
  private waiting: Waiting[] = [];
  private readonly dead = new Set<string>();
  /** The processes that have not ended. */
  private readonly running = new Set<string>();
  private failure: { error: unknown } | undefined;
  private favourite: string | undefined;

  constructor(seed: number) {
    this.random = chanceOf(seed);
  }

  /** In whole milliseconds, as clocks tell it. */
  readonly now = (): number => Math.floor(this.time);

  /** Time passes for everybody: for those who are in the middle of a step, too. */
  jump(milliseconds: number): void {
    this.time += milliseconds;
  }

  int(below: number): number {
    return Math.floor(this.random() * below);
  }

  /** Waits for a turn. A dead process never gets one. */
  turn(process: string, after = 0, by = Number.POSITIVE_INFINITY): Promise<void> {
    if (this.dead.has(process)) return new Promise(() => {});
    return new Promise((go) => {
      this.waiting.push({ process, from: this.time + after, by, go });
    });
  }

  /** Ends a process: nothing more happens in it, not even an error. @returns false if it was dead: it has several calls under way */
  kill(process: string): boolean {
    if (this.dead.has(process)) return false;
    this.dead.add(process);
    this.running.delete(process);
    this.waiting = this.waiting.filter((each) => each.process !== process);
    return true;
  }

  /** The clock, the random numbers and the sleep of a process. */
  runtimeOf(process: string): Runtime {
    return {
      now: this.now,
      monotonic: this.now,
      processor: this.now,
      random: this.random,
      sleep: (milliseconds) => this.turn(process, milliseconds),
    };
  }

  /** Starts a process. Its error ends all processes. */
  start(process: string, run: () => Promise<unknown>): void {
    this.running.add(process);
    run()
      .catch((error: unknown) => {
        this.failure ??= { error };
      })
      .finally(() => this.running.delete(process));
  }

  private pick(): Waiting | undefined {
    const ready = this.waiting.filter(({ from }) => from <= this.time);
    if (ready.length === 0) return undefined;
    const urgent = ready.find(({ by }) => by <= this.time);
    const favourites = ready.filter(({ process }) => process === this.favourite);
    // The process that ran last often goes on for several steps.
    const among = favourites.length > 0 && this.random() < 0.6 ? favourites : ready;
    return urgent ?? among[this.int(among.length)];
  }

  /** Runs until all processes have ended. @throws the error of a process */
  async run(maxSteps = MAX_STEPS): Promise<void> {
    await settled();
    for (let [steps, idle] = [0, 0]; this.running.size > 0 && !this.failure; steps++) {
      if (steps === maxSteps) throw new Error('The course does not end');
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
      else throw new Error(`${[...this.running].join(', ')} wait for ever`);
    }
    if (this.failure) throw this.failure.error;
  }
}
