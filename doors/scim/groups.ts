/** Groups: an item in the table of the door, and members among the users of the stage. */
import { answer, listed, ScimError } from './answers.ts';
import type { Asked, Json, Methods } from './asked.ts';
import { groupsIn } from './fields.ts';
import { parseFilter } from './filter.ts';
import { bare, GROUP, type GroupChange, groupIn, groupPatchIn } from './groupBody.ts';
import { meets, pageOf } from './groupLists.ts';
import { type Change, membersOf } from './members.ts';
import { isShown, projected } from './resources.ts';
import type { User } from './service.ts';
import { digestOf, type Group, newId, tableOf } from './table.ts';

/** How often a write begins again because of other writers. */
const ATTEMPTS = 10;
/** Characters of a value of an attribute. A longer text is that of no group. */
const MAX_VALUE = 64;

/** A group that is only a value which users have. It gets an item when it is written. */
const valueGroup = (id: string): Group => ({ id, displayName: id, version: 0 });

/** The tag of an answer: with the members, if it has them. Programs that write users change it, too. */
const tagOf = ({ version }: Group, members?: User[]): string =>
  members ? `"${version}-${digestOf(members.map(({ id }) => id)).slice(0, 12)}"` : `"${version}"`;

const hasTag = (header: string, tag: string): boolean =>
  header.split(',').some((each) => ['*', tag].includes(each.trim().replace(/^W\//, '')));

/** @param sent the request, with the parameters of a list or search */
export function groupsOf(sent: Asked): [all: Methods, one: Methods] {
  const { settings, base, id, ifMatch, ifNoneMatch, query: given } = sent;
  const namesIn = (names = '') => names.split(',').map(bare).join();
  const query = {
    ...given,
    attributes: namesIn(given.attributes),
    excludedAttributes: namesIn(given.excludedAttributes),
  };
  const [table, members] = [tableOf(settings), membersOf(sent)];
  const showsMembers = isShown('members', query);

  function resourceOf(group: Group, users?: User[], version?: string): Json {
    const { externalId, displayName, createdAt: created, updatedAt: lastModified } = group;
    const location = `${base}/Groups/${encodeURIComponent(group.id)}`;
    const meta = { resourceType: 'Group', created, lastModified, location, version };
    const shown = users?.map((user) => {
      const value = String(user.id);
      return { value, $ref: `${base}/Users/${value}`, type: 'User' };
    });
    const resource = { schemas: [GROUP], id: group.id, externalId, displayName, members: shown, meta };
    return projected(resource, query);
  }

  const usersIn = async (group: Group): Promise<User[]> => (await members.byGroup([group.id])).get(group.id) ?? [];

  async function answerOf(status: 200 | 201, group: Group): Promise<Response> {
    const users = showsMembers ? await usersIn(group) : undefined;
    const etag = tagOf(group, users);
    if (ifNoneMatch !== null && status === 200 && hasTag(ifNoneMatch, etag))
      return new Response(null, { status: 304, headers: { etag } });
    const location = `${base}/Groups/${encodeURIComponent(group.id)}`;
    return answer(status, resourceOf(group, users, etag), { etag, ...(status === 201 && { location }) });
  }

  const missing = () => new ScimError(404, 'There is no such group');

  async function find(): Promise<Group> {
    const found = await table.get(id);
    if (found) return found;
    if (id.length <= MAX_VALUE && (await members.isValue(id))) return valueGroup(id);
    throw missing();
  }

  /** A group whose members have been written. If it was deleted meanwhile, they lose its value again. */
  async function settled(group: Group): Promise<Group> {
    const found = await table.get(group.id);
    if (found) return found;
    await members.removeAll(group.id);
    throw missing();
  }

  async function list(): Promise<Response> {
    const groupsOf = new Map<string, string[]>();
    const isMeant = query.filter === undefined ? () => true : meets(parseFilter(query.filter), groupsOf);
    for (const [id, user] of await members.withIds(groupsOf.keys())) groupsOf.set(id, groupsIn(user, settings));
    const [groups, values] = await Promise.all([table.all(), members.values()]);
    const known = new Set(groups.map((group) => group.id));
    const all = [...groups, ...values.filter((value) => !known.has(value)).map(valueGroup)];
    const page = pageOf(all.filter(isMeant), query);
    const shown = showsMembers ? await members.byGroup(page.resources.map((group) => group.id)) : undefined;
    return listed({ ...page, resources: page.resources.map((group) => resourceOf(group, shown?.get(group.id))) });
  }

  const taken = (name: string) => new ScimError(409, `There is a group with the displayName ${name}`, 'uniqueness');

  /** Refuses the name of a group that has no item. */
  async function refuseValue(name: string, own?: string): Promise<void> {
    if (name === own || name.length > MAX_VALUE || !(await members.isValue(name))) return;
    if ((await table.get(name)) === undefined) throw taken(name);
  }

  async function create(): Promise<Response> {
    const body = groupIn(await sent.body());
    const { displayName, externalId } = body;
    await refuseValue(displayName);
    const { add } = body.members;
    const change: Change = { keepsOthers: true, add, remove: new Set() };
    const begun = add.size > 0 ? digestOf([displayName, externalId, [...add].sort()]) : undefined;
    const fresh = { id: newId(), displayName, externalId: externalId ?? undefined };
    const plan = await members.prepare(fresh.id, change);
    const outcome = await table.save(undefined, { ...fresh, begun });
    const group = await table.named(displayName);
    // The same creation has begun before, and has not come to its end: it goes on.
    const isOurs = group?.id === fresh.id || (group?.begun !== undefined && group.begun === begun);
    if (group === undefined) throw new ScimError(503, 'Others write this group', undefined, { 'retry-after': '1' });
    if (!isOurs) throw taken(displayName);
    await members.apply(group.id, outcome === 'written' ? plan : await members.prepare(group.id, change));
    if (begun !== undefined) await table.save(group, { id: group.id, displayName, externalId: group.externalId });
    return answerOf(201, await settled(group));
  }

  /** A condition is about an answer with the members, or without them. */
  async function requireMatch(group: Group): Promise<void> {
    if (ifMatch === null || hasTag(ifMatch, tagOf(group)) || hasTag(ifMatch, tagOf(group, await usersIn(group))))
      return;
    throw new ScimError(412, 'The group has changed meanwhile');
  }

  /** Writes the item first, which refuses a name that is taken before any member is changed. */
  async function changeOnce({ members: change, ...fields }: GroupChange): Promise<Group | undefined> {
    const group = await find();
    await requireMatch(group);
    const { displayName = group.displayName, externalId = group.externalId } = fields;
    if (displayName !== group.displayName) await refuseValue(displayName, group.id);
    const plan = await members.prepare(group.id, change);
    const isSame = displayName === group.displayName && (externalId ?? undefined) === group.externalId;
    if (isSame && plan.add.length + plan.remove.length === 0 && group.begun === undefined) return group;
    const outcome = await table.save(group, { id: group.id, displayName, externalId: externalId ?? undefined });
    if (outcome === 'taken') throw taken(displayName);
    if (outcome === 'late') return undefined;
    await members.apply(group.id, plan);
    return settled(group);
  }

  /** Without If-Match a write is made of the group as it is then. */
  async function untilWritten<Result>(write: () => Promise<Result | undefined>): Promise<Result> {
    for (let attempt = 0; attempt < ATTEMPTS; attempt++) {
      const result = await write();
      if (result !== undefined) return result;
    }
    throw new ScimError(412, 'The group has changed meanwhile');
  }

  async function put(): Promise<Response> {
    const change = groupIn(await sent.body());
    return answerOf(200, await untilWritten(() => changeOnce(change)));
  }

  /** A group may have many members: they are in the answer if it is asked for. */
  async function patch(): Promise<Response> {
    const change = groupPatchIn(await sent.body());
    const group = await untilWritten(() => changeOnce(change));
    const isAsked = given.attributes !== undefined || given.excludedAttributes !== undefined;
    return isAsked ? answerOf(200, group) : new Response(null, { status: 204 });
  }

  /** The item goes last: as long as it is there, a deletion can be sent again. */
  async function remove(): Promise<Response> {
    return untilWritten(async () => {
      const group = await find();
      await requireMatch(group);
      await members.removeAll(group.id);
      const outcome = group.version === 0 ? 'written' : await table.save(group, undefined);
      return outcome === 'written' ? new Response(null, { status: 204 }) : undefined;
    });
  }

  return [
    { GET: list, POST: create },
    { GET: () => find().then((group) => answerOf(200, group)), PUT: put, PATCH: patch, DELETE: remove },
  ];
}
