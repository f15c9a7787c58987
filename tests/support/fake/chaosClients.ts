import type { Invoke } from '../handlers.ts';
import type { ModelUser } from '../model.ts';
import type { ChaosCourse } from './chaosCourse.ts';

type State = string;

/** The state of a user that does not exist. */
const ABSENT: State = 'absent';

const stateOf = (user: Partial<ModelUser> | undefined): State =>
  user ? JSON.stringify(Object.entries(user).toSorted(([a], [b]) => (a < b ? -1 : 1))) : ABSENT;

/** When a user was created. By the contract an id begins with the milliseconds since 2020. */
const momentOf = (id: number): string => new Date(1_577_836_800_000 + Math.floor(id / 4_096)).toISOString();

const KNOWN_STATUSES = ['200', '201', '204', '404', '503'];

const QUERIES = ['', 'sort=name&page=1&size=5', 'status=on&sort=lastName', 'keyword=ab&size=4', 'country=DE&sort=age'];

/** Clients of the handlers, and the states that their responses allow. */
export class ChaosClients {
  private readonly course: ChaosCourse;
  private readonly invoke: Invoke;
  /** The possible states of each user. */
  private readonly possible = new Map<number, Set<State>>();
  /** The names of users whose creation was not acknowledged. */
  private readonly unknown = new Set<string>();
  private names = 0;

  constructor(course: ChaosCourse, invoke: Invoke) {
    this.course = course;
    this.invoke = invoke;
  }

  /** Does every `step`-th operation, from `first` on. */
  async work(first: number, step: number, operations: number): Promise<void> {
    const { scheduler } = this.course;
    const mine: number[] = [];
    for (let i = first; i < operations; i += step) {
      if (scheduler.random() < 0.3) await scheduler.turn(`client${first}`, scheduler.random() * 2_000);
      await this.operate(mine);
      // With only a few users at a time, each is written many times.
      if (mine.length > 8) mine.splice(scheduler.int(mine.length), 1);
    }
  }

  /** @throws when a user is in a state that no response allows, or was created twice or by nobody */
  checkAtEnd(users: readonly ModelUser[]): void {
    const final = new Map(users.map((user) => [user.id, user]));
    for (const [id, possible] of this.possible) {
      const state = stateOf(final.get(id));
      if (!possible.has(state)) throw new Error(`User ${id} is ${state} in the end, not ${[...possible].join(' or ')}`);
    }
    for (const [id, { name }] of final) {
      if (this.possible.has(id)) continue;
      if (!this.unknown.delete(name)) throw new Error(`User ${id}, ${name}, was created by nobody or twice`);
    }
  }

  private async operate(mine: number[]): Promise<void> {
    const { course } = this;
    const chance = course.scheduler.random();
    if (mine.length === 0 || chance < 0.25) await this.create(mine);
    else if (chance < 0.6) await this.change(course.pick(mine));
    else if (chance < 0.8) await this.look(course.pick(mine));
    else if (chance < 0.95) await this.request('listUsers', { query: course.pick(QUERIES) });
    else await this.request('listUsersByCursor', { query: `cursor=${course.pick(mine)}` });
  }

  /** Undefined if the outcome of the request is unknown. */
  private async request(...asked: Parameters<Invoke>): Promise<Awaited<ReturnType<Invoke>> | undefined> {
    const { statuses } = this.course.report;
    const response = await this.course.inContainer(() => this.invoke(...asked));
    const status = response === 'died' ? 'none' : String(response.statusCode);
    statuses[status] = (statuses[status] ?? 0) + 1;
    if (response === 'died') return undefined;
    if (!KNOWN_STATUSES.includes(status)) throw new Error(`${asked[0]} got ${status}: ${response.body}`);
    return response.statusCode === 503 ? undefined : response;
  }

  private fieldsOf(name: string) {
    const { course } = this;
    const { random } = course.scheduler;
    return {
      name,
      ...(random() < 0.8 && { lastName: course.pick(['ab', 'aba', 'b', 'cab', 'Straße']) }),
      ...(random() < 0.7 && { status: course.pick(['on', 'off']) }),
      ...(random() < 0.7 && { country: course.pick(['DE', 'FR']) }),
      ...(random() < 0.5 && { age: course.scheduler.int(4) }),
    };
  }

  private async create(mine: number[]): Promise<void> {
    const name = `n${this.names++}`;
    const body = this.fieldsOf(name);
    const key = this.course.scheduler.random() < 0.5 ? `k${name}` : undefined;
    const more = key && { headers: { 'Idempotency-Key': key, 'Content-Type': 'application/json' } };
    for (let attempt = 0; attempt < (key ? 4 : 1); attempt++) {
      const response = await this.request('createUser', { body, ...(more && { more }) });
      if (!response) continue;
      const user = response.json as ModelUser;
      this.possible.set(user.id, new Set([stateOf(user)]));
      mine.push(user.id);
      return;
    }
    this.unknown.add(name);
  }

  /** Only one client writes a user, so the order of its states is known. */
  private async change(id: number): Promise<void> {
    const possible = this.possible.get(id);
    if (!possible) return;
    const chance = this.course.scheduler.random();
    if (chance < 0.3) {
      const response = await this.request('deleteUser', { id });
      if (response) this.possible.set(id, new Set([ABSENT]));
      else possible.add(ABSENT);
      return;
    }
    const fields = this.fieldsOf(`n${this.names++}`);
    const none = { lastName: null, status: null, country: null, age: null };
    const response =
      chance < 0.65
        ? await this.request('replaceUser', { id, body: fields })
        : await this.request('patchUser', { id, body: { ...none, ...fields } });
    if (response?.statusCode === 404) {
      if (!possible.has(ABSENT)) throw new Error(`User ${id} is gone, and nobody has deleted it`);
      this.possible.set(id, new Set([ABSENT]));
    } else if (response) this.possible.set(id, new Set([stateOf(response.json as ModelUser)]));
    else possible.add(stateOf({ id, createdAt: momentOf(id), ...fields }));
  }

  private async look(id: number): Promise<void> {
    const response = await this.request('getUser', { id });
    if (!response) return;
    const state = response.statusCode === 404 ? ABSENT : stateOf(response.json as ModelUser);
    if (!this.possible.get(id)?.has(state)) throw new Error(`User ${id} is ${state}, which cannot be`);
  }
}
