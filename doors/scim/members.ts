/**
 * Members of groups: users who have the id of the group among the values of an attribute. The API finds them, and changes them by edits of
 * many. An edit meets nobody who is as it wants: so what a request has begun, its repetition ends.
 */
import { ScimError } from './answers.ts';
import type { Asked } from './asked.ts';
import { invalid } from './body.ts';
import { isUserId } from './conditions.ts';
import { groupsIn } from './fields.ts';
import { failed, type Parameters, type Service, type User, usersIn } from './service.ts';

/** The ids that the API takes in a question. */
const MAX_IDS = 300;
/** The texts that the API takes in an array. */
const MAX_GROUPS = 20;
/** In an answer, some 2 MB: Lambda sends 6. */
const MAX_SHOWN = 20_000;
/** More users than a stage has. */
const ALL = 1_000_000_000;
/** The seconds that a call of an edit works: far below the time after which the door does not wait for its answer. */
const EDIT_S = 4;
/** From the beginning of a request to that of its last call: Lambda gives it 29 seconds. */
const WORK_MS = 18_000;

/** The members whom a request adds, and those whom it takes away. */
export interface Change {
  /** Whether members that it does not name stay. */
  keepsOthers: boolean;
  add: Set<string>;
  remove: Set<string>;
}

/** Users who are no members yet, and members who are to be none. */
interface Plan {
  add: number[];
  remove: number[];
}

interface EditAnswer {
  edit: string;
  left: number;
  failed: { id: number; status: number; message: string }[];
}

const idsAsked = (ids: Iterable<number | string>): Parameters => [...ids].map((id) => ['id', String(id)]);

function inChunks<Each>(all: Each[]): Each[][] {
  return Array.from({ length: Math.ceil(all.length / MAX_IDS) }, (_, n) => all.slice(n * MAX_IDS, (n + 1) * MAX_IDS));
}

export function membersOf({ service, settings }: { service: Service; settings: Asked['settings'] }) {
  const name = settings.SCIM_GROUPS ?? '';
  const attribute = `attributes.${name}`;
  const until = Date.now() + WORK_MS;

  /** Users who match, by ascending ids, with their names and groups. One request. */
  async function find(filters: Parameters): Promise<User[]> {
    const parameters: Parameters = [...filters, ['fields', `name,createdAt,${attribute}`]];
    return usersIn((await service('GET', '/all', { parameters })).body);
  }

  const inAny = (groups: string[]): Promise<User[]> =>
    groups.length === 0 ? Promise.resolve([]) : find(groups.map((group) => [attribute, group]));

  async function withIds(ids: Iterable<string>): Promise<Map<string, User>> {
    const found = new Map<string, User>();
    for (const some of inChunks([...ids].filter(isUserId)))
      for (const user of await find(idsAsked(some))) found.set(String(user.id), user);
    return found;
  }

  /** @throws {ScimError} 400 for a user who does not exist, or can have no more groups */
  function requireRoom(id: string, user: User | undefined): void {
    if (user === undefined) throw invalid(`There is no user ${id.slice(0, 100)}, who would be a member`);
    const value = user.attributes?.[name] ?? [];
    if (!Array.isArray(value)) throw invalid(`User ${id} has one text as ${attribute}, and no array of them`);
    if (value.length >= MAX_GROUPS) throw invalid(`User ${id} is in ${MAX_GROUPS} groups, and can be in no more`);
  }

  async function prepare(group: string, change: Change): Promise<Plan> {
    const { keepsOthers, add, remove } = change;
    const before = new Set((keepsOthers ? [] : await inAny([group])).map(({ id }) => String(id)));
    const found = await withIds([...add, ...(keepsOthers ? remove : [])].filter((id) => !before.has(id)));
    const isMember = (id: string) => before.has(id) || groupsIn(found.get(id), settings).includes(group);
    const added = [...add].filter((id) => !isMember(id));
    for (const id of added) requireRoom(id, found.get(id));
    const removed = keepsOthers ? [...remove].filter(isMember) : [...before].filter((id) => !add.has(id));
    return { add: added.map(Number), remove: removed.map(Number) };
  }

  /** @throws {ScimError} 503 if the time of a request is not enough */
  async function edit(filters: Parameters, change: object): Promise<void> {
    const options = { parameters: filters, headers: { prefer: `wait=${EDIT_S}` } };
    let goesOn = {};
    while (Date.now() < until) {
      const json = { ...change, ...goesOn, atMost: ALL };
      const {
        edit: name,
        left,
        failed: others = [],
      } = (await service<EditAnswer>('POST', '/edits', { ...options, json })).body;
      const [other] = others;
      if (other && other.status < 500) throw invalid(`User ${other.id} could not be changed: ${other.message}`);
      if (left === 0 && !other) return;
      goesOn = left > 0 ? { edit: name } : {};
    }
    throw failed(503, 'There is more to do than fits into a request: send it again, and it goes on');
  }

  async function apply(group: string, { add, remove }: Plan): Promise<void> {
    const values = { attributes: { [name]: [group] } };
    for (const ids of inChunks(add)) await edit([...idsAsked(ids), [`${attribute}.not`, group]], { add: values });
    for (const ids of inChunks(remove)) await edit([...idsAsked(ids), [attribute, group]], { remove: values });
  }

  const removeAll = (group: string): Promise<void> =>
    edit([[attribute, group]], { remove: { attributes: { [name]: [group] } } });

  /** The members of groups, by group. @throws {ScimError} 400 if there are too many for an answer */
  async function byGroup(groups: string[]): Promise<Map<string, User[]>> {
    const users = await inAny(groups);
    const all = new Map(groups.map((group): [string, User[]] => [group, []]));
    for (const user of users) for (const group of groupsIn(user, settings)) all.get(group)?.push(user);
    const shown = [...all.values()].reduce((sum, { length }) => sum + length, 0);
    if (shown <= MAX_SHOWN) return all;
    throw new ScimError(
      400,
      `These are ${shown} members, and an answer has at most ${MAX_SHOWN}: ask with excludedAttributes=members`,
      'tooMany',
    );
  }

  /** Values of the attribute, which are groups also without an item in the table. */
  async function values(): Promise<string[]> {
    const { counts } = (
      await service<{ counts: Record<string, unknown>[] }>('GET', '/counts', { parameters: [['by', attribute]] })
    ).body;
    return [...new Set(counts.flatMap((count) => [count[attribute] ?? []].flat().map(String)))];
  }

  async function isValue(text: string): Promise<boolean> {
    const parameters: Parameters = [
      [attribute, text],
      ['size', '1'],
    ];
    return (
      text !== '' &&
      Number((await service<{ totalElements: number }>('GET', '', { parameters })).body.totalElements) > 0
    );
  }

  return { prepare, apply, removeAll, byGroup, values, isValue, withIds };
}
