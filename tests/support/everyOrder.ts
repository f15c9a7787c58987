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

/** Thrown by a process that ends, wherever it is. */
export class Ended extends Error {
  override readonly name = 'Ended';
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
    const choices = this.choicesAfter(answers);
    return choices ? this.all.push({ answers, choices, next: new Map() }) - 1 : 0;
  }

  private choicesAfter(answers: readonly string[]): Step<World>[] | undefined {
    const running = this.process(this.name);
    try {
      let { value } = running.next();
      for (const answer of answers) ({ value } = running.next(JSON.parse(answer)));
      return value ?? undefined;
    } catch (error) {
      if (error instanceof Ended) return undefined;
      throw error;
    }
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

interface State {
  /** The place of each process. */
  readonly at: readonly number[];
  /** The number of the world. */
  readonly world: number;
  /** The step that led to it first, and the number of the state before. */
  readonly by: string;
  readonly before: number;
}

/** Texts, by numbers in the order in which they came. */
class Numbers {
  readonly all: string[] = [];
  private readonly numbers = new Map<string, number>();

  of(text: string): number {
    const known = this.numbers.get(text) ?? this.all.push(text) - 1;
    this.numbers.set(text, known);
    return known;
  }
}

/** The states that were seen, by number. Many have the same world. */
class States {
  readonly all: State[] = [];
  readonly worlds = new Numbers();
  private readonly seen = new Numbers();

  add(at: readonly number[], text: string, by = '', before = -1): number {
    const world = this.worlds.of(text);
    const number = this.seen.of(`${world},${at}`);
    if (number === this.all.length) this.all.push({ at, world, by, before });
    return number;
  }

  stepsTo(last: number): string[] {
    const steps: string[] = [];
    for (let found = this.all[last]; found && found.before >= 0; found = this.all[found.before])
      steps.unshift(found.by);
    return steps;
  }
}

/** A state to which some processes can bring the world from wherever it is, if no other interferes. */
export interface Recovery<World> {
  by: (process: string) => boolean;
  isReached: (world: World) => boolean;
}

/** The first state from which there is no way back. @param comeFrom by each state those before it, from which a process of the recovery has come */
function withoutReturn<World>(
  { all, worlds }: States,
  comeFrom: ReadonlyMap<number, readonly number[]>,
  { isReached }: Recovery<World>,
): number {
  const areReached = worlds.all.map((text) => isReached(JSON.parse(text)));
  const returning = new Set([...all.keys()].filter((state) => areReached[all[state]?.world ?? 0]));
  for (const state of returning) for (const before of comeFrom.get(state) ?? []) returning.add(before);
  return all.findIndex((_, state) => !returning.has(state));
}

/** The first violation is one of those that need the fewest steps. */
export function everyOrder<World>(
  first: World,
  processes: Readonly<Record<string, Process<World>>>,
  recovery?: Recovery<World>,
): Orders {
  const all = Object.entries(processes).map(([name, process]) => new Places(name, process));
  const states = new States();
  states.add(
    all.map(() => 0),
    JSON.stringify(first),
  );
  const comeFrom = new Map<number, number[]>();
  const violation = (message: string, steps: string[]): Orders => ({
    states: states.all.length,
    violation: { message, steps },
  });
  // An array that grows is read to its new end.
  for (const [before, { at, world: number }] of states.all.entries()) {
    const text = states.worlds.all[number] as string;
    const isBegun = (name: string): boolean => (at[all.findIndex((each) => each.name === name)] ?? 0) > 0;
    let world: World = JSON.parse(text);
    for (const [i, places] of all.entries()) {
      for (const step of places.at(at[i]).choices) {
        try {
          const answer = step(world, isBegun);
          if (answer === BLOCKED) continue;
          const moved = at.with(i, places.after(at[i] ?? 0, answer));
          const after = states.add(moved, JSON.stringify(world), places.name, before);
          if (recovery?.by(places.name)) comeFrom.set(after, [...(comeFrom.get(after) ?? []), before]);
        } catch (error) {
          if (!(error instanceof Violation)) throw error;
          return violation(error.message, [...states.stepsTo(before), places.name]);
        }
        world = JSON.parse(text);
      }
    }
  }
  const lost = recovery ? withoutReturn(states, comeFrom, recovery) : -1;
  if (lost < 0) return { states: states.all.length };
  const { at, world } = states.all[lost] as State;
  return violation(`There is no way back from ${at} ${states.worlds.all[world]}`, states.stepsTo(lost));
}
