import { createUserStore } from '../../../lib/users/store.ts';
import { represent } from '../../../lib/users/user.ts';
import type { ModelUser } from '../model.ts';
import { type Course, isStatus } from './course.ts';
import { fieldsBy, pick } from './drawn.ts';

type UserStore = ReturnType<typeof createUserStore>;

/** The state of a user that does not exist. */
const ABSENT = 'absent';

/** Without `updatedAt`: nobody knows the moment of a write that was not acknowledged. */
const stateOf = (user: object): string =>
  JSON.stringify(
    Object.entries(user)
      .filter(([name]) => name !== 'updatedAt')
      .toSorted(([a], [b]) => (a < b ? -1 : 1)),
  );

/** When a user was created. By the contract an id begins with the milliseconds since 2020. */
const momentOf = (id: number): string => new Date(1_577_836_800_000 + Math.floor(id / 4_096)).toISOString();

/** Clients that compare the users with the responses that they got. Only one writes a user, so the order of its states is known. */
export class Clients {
  private readonly course: Course;
  /** The states that each user may have, by the responses. */
  private readonly possible = new Map<number, Set<string>>();
  /** The names of users whose creation was not acknowledged. */
  private readonly unknown = new Set<string>();
  private names = 0;
  private containers = 0;

  constructor(course: Course) {
    this.course = course;
  }

  async work(client: string, operations: number): Promise<void> {
    const { scheduler } = this.course;
    const mine: number[] = [];
    for (let i = 0; i < operations; i++) {
      if (scheduler.random() < 0.3) await scheduler.turn(client, scheduler.random() * 2_000);
      const chance = scheduler.random();
      if (mine.length === 0 || chance < 0.3) await this.create(mine);
      else if (chance < 0.75) await this.change(pick(scheduler, mine));
      else await this.look(pick(scheduler, mine));
      // With only a few users at a time, each is written many times.
      if (mine.length > 8) mine.splice(scheduler.int(mine.length), 1);
    }
    this.course.busy--;
  }

  /** @throws when a user is in a state that no response allows, or was created twice or by nobody */
  check(users: readonly ModelUser[]): void {
    const left = new Map(users.map((user) => [user.id, user]));
    for (const [id, possible] of this.possible) {
      const user = left.get(id);
      const state = user ? stateOf(user) : ABSENT;
      if (!possible.has(state)) throw new Error(`User ${id} is ${state} in the end, not ${[...possible].join(' or ')}`);
      left.delete(id);
    }
    for (const [id, { name }] of left)
      if (!this.unknown.delete(name)) throw new Error(`User ${id}, ${name}, was created by nobody or twice`);
  }

  /** The state of a user after a request to a container, which may die. Undefined if the outcome is unknown. */
  private request(run: (users: UserStore) => Promise<object | undefined>): Promise<string | undefined> {
    const { course } = this;
    return new Promise((resolve, reject) => {
      const end = (outcome: 'done' | 'gone' | 'unavailable' | 'died', state?: string) => {
        course.report[outcome]++;
        resolve(state);
      };
      const database = course.databaseOf(`container${this.containers++}`, () => end('died'));
      run(createUserStore(database)).then(
        (user) => end('done', user ? stateOf(user) : ABSENT),
        (error: unknown) => {
          if (isStatus(error, 404)) end('gone', ABSENT);
          else if (isStatus(error, 503)) end('unavailable');
          else reject(error);
        },
      );
    });
  }

  private newFields() {
    return { ...fieldsBy(this.course.scheduler), name: `n${this.names++}` };
  }

  /** Half of the creates have a key, and are tried again until their outcome is known. */
  private async create(mine: number[]): Promise<void> {
    const fields = this.newFields();
    const key = this.course.scheduler.random() < 0.5 ? `k${fields.name}` : undefined;
    for (let attempt = 0; attempt < (key ? 4 : 1); attempt++) {
      let id = 0;
      const state = await this.request(async (users) => {
        const user = key ? (await users.createOnce({ key, fields })).user : await users.create(fields);
        id = user.id;
        return represent(user);
      });
      if (state === undefined) continue;
      this.possible.set(id, new Set([state]));
      mine.push(id);
      return;
    }
    this.unknown.add(fields.name);
  }

  private async change(id: number): Promise<void> {
    const possible = this.possible.get(id) ?? new Set();
    const isDelete = this.course.scheduler.random() < 0.3;
    const fields = this.newFields();
    const wanted = isDelete ? ABSENT : stateOf({ id, createdAt: momentOf(id), ...fields });
    const state = await this.request(async (users) => {
      if (isDelete) await users.delete(id);
      else return represent(await users.update(id, () => fields));
    });
    if (state === undefined) possible.add(wanted);
    else if (state !== wanted && !possible.has(state)) throw new Error(`User ${id} is ${state}, and not ${wanted}`);
    else this.possible.set(id, new Set([state]));
  }

  private async look(id: number): Promise<void> {
    const state = await this.request(async (users) => represent(await users.get(id)));
    if (state !== undefined && !this.possible.get(id)?.has(state))
      throw new Error(`User ${id} is ${state}, which cannot be`);
  }
}
