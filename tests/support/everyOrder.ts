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

function stepsTo(seen: ReadonlyMap<string, string>, last: string): string[] {
  const steps: string[] = [];
  for (let found = seen.get(last); found; found = seen.get(found.slice(found.indexOf(' ') + 1)))
    steps.unshift(found.slice(0, found.indexOf(' ')));
  return steps;
}

/** A state to which some processes can bring the world from wherever it is, if no other interferes. */
export interface Recovery<World> {
  by: (process: string) => boolean;
  isReached: (world: World) => boolean;
}

/** The first state from which there is no way back. @param comeFrom by each state those before it, from which a process of the recovery has come */
function withoutReturn<World>(
  seen: ReadonlyMap<string, string>,
  comeFrom: ReadonlyMap<string, readonly string[]>,
  { isReached }: Recovery<World>,
): string | undefined {
  const returning = new Set([...seen.keys()].filter((state) => isReached(JSON.parse(worldOf(state)))));
  for (const state of returning) for (const before of comeFrom.get(state) ?? []) returning.add(before);
  return [...seen.keys()].find((state) => !returning.has(state));
}

const worldOf = (state: string): string => state.slice(state.indexOf(' ') + 1);

/** The first violation is one of those that need the fewest steps. */
export function everyOrder<World>(
  first: World,
  processes: Readonly<Record<string, Process<World>>>,
  recovery?: Recovery<World>,
): Orders {
  const all = Object.entries(processes).map(([name, process]) => new Places(name, process));
  // By each state the step that led to it, and the state before. A map that grows is read to its new end.
  const seen = new Map([[`${all.map(() => 0)} ${JSON.stringify(first)}`, '']]);
  const comeFrom = new Map<string, string[]>();
  for (const [before] of seen) {
    const text = worldOf(before);
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
          if (recovery?.by(places.name)) comeFrom.set(after, [...(comeFrom.get(after) ?? []), before]);
        } catch (error) {
          if (!(error instanceof Violation)) throw error;
          const steps = [...stepsTo(seen, before), places.name];
          return { states: seen.size, violation: { message: error.message, steps } };
        }
        world = JSON.parse(text);
      }
    }
  }
  const lost = recovery && withoutReturn(seen, comeFrom, recovery);
  if (lost)
    return {
      states: seen.size,
      violation: { message: `There is no way back from ${lost}`, steps: stepsTo(seen, lost) },
    };
  return { states: seen.size };
}
