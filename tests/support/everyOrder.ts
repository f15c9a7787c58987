/** Carries out all orders of the steps of some processes, and looks at each state that they reach. */

/** The answer of a step that cannot happen in a state. */
export const BLOCKED = Symbol('blocked');

/** Changes the world in one moment, unless it is blocked. Its answer is told to the process, as JSON has it. */
export type Step<World, Answer = unknown> = (world: World, isBegun: (process: string) => boolean) => Answer;

/** A process waits at each step; where it gives several, each of them may happen. One that has ended begins again. */
export type Process<World> = (name: string) => Generator<Step<World>[], void, unknown>;

/** Waits for one of some steps. @returns its answer */
export function* ask<World, Answer>(
  ...choices: Step<World, Answer | typeof BLOCKED>[]
): Generator<Step<World>[], Answer, unknown> {
  return (yield choices) as Answer;
}

/** A state that must not be. */
export class Violation extends Error {
  override readonly name = 'Violation';
}

interface Orders {
  states: number;
  /** Undefined if all states are as they should be. */
  violation?: { message: string; steps: string[] };
}

/** A place in a process, which is known by the answers until there: so it can be left, and be taken up again. */
interface Place<World> {
  readonly answers: readonly string[];
  readonly choices: readonly Step<World>[];
  /** The place after each answer. */
  readonly next: Map<string, number>;
}

/** The places of a process, by number. */
class Places<World> {
  readonly all: Place<World>[] = [];
  readonly name: string;
  private readonly process: Process<World>;

  constructor(name: string, process: Process<World>) {
    this.name = name;
    this.process = process;
    this.add([]);
  }

  /** @returns 0, the beginning, for one that has ended */
  private add(answers: readonly string[]): number {
    const running = this.process(this.name);
    let { value, done } = running.next();
    for (const answer of answers) ({ value, done } = running.next(JSON.parse(answer)));
    if (done) return 0;
    return this.all.push({ answers, choices: value ?? [], next: new Map() }) - 1;
  }

  at = (number = 0): Place<World> => this.all[number] as Place<World>;

  after(number: number, answer: unknown): number {
    const text = JSON.stringify(answer ?? null);
    const { answers, next } = this.at(number);
    const known = next.get(text) ?? this.add([...answers, text]);
    next.set(text, known);
    return known;
  }
}

function stepsTo(seen: ReadonlyMap<string, string>, last: string): string[] {
  const steps: string[] = [];
  for (let found = seen.get(last); found; found = seen.get(found.slice(found.indexOf(' ') + 1)))
    steps.unshift(found.slice(0, found.indexOf(' ')));
  return steps;
}

/** The first violation is one of those that need the fewest steps. */
export function everyOrder<World>(first: World, processes: Readonly<Record<string, Process<World>>>): Orders {
  const all = Object.entries(processes).map(([name, process]) => new Places(name, process));
  // By each state the step that led to it, and the state before. A map that grows is read to its new end.
  const seen = new Map([[`${all.map(() => 0)} ${JSON.stringify(first)}`, '']]);
  for (const [before] of seen) {
    const text = before.slice(before.indexOf(' ') + 1);
    const at = before.slice(0, before.indexOf(' ')).split(',').map(Number);
    const isBegun = (name: string): boolean => (at[all.findIndex((each) => each.name === name)] ?? 0) > 0;
    let world: World = JSON.parse(text);
    for (const [i, places] of all.entries()) {
      for (const step of places.at(at[i]).choices) {
        try {
          const answer = step(world, isBegun);
          if (answer === BLOCKED) continue;
          const after = `${at.with(i, places.after(at[i] ?? 0, answer))} ${JSON.stringify(world)}`;
          if (!seen.has(after)) seen.set(after, `${places.name} ${before}`);
        } catch (error) {
          if (!(error instanceof Violation)) throw error;
          const steps = [...stepsTo(seen, before), places.name];
          return { states: seen.size, violation: { message: error.message, steps } };
        }
        world = JSON.parse(text);
      }
    }
  }
  return { states: seen.size };
}
