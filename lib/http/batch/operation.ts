/** One operation of a batch: what a request of its own would do. */
import { type BatchOp, type BatchResult, OPERATION_MEMBERS } from '../../../schemas/batch.ts';
import { MAX_BODY_BYTES } from '../../../schemas/limits.ts';
import type { ServiceError } from '../../ground/index.ts';
import type { Origin } from '../../replica/index.ts';
import { checkPreconditions, etagOf, ignoredIn, isObject, named } from '../../rest/index.ts';
import { userError } from '../../users/errors.ts';
import type { UserStore } from '../../users/store.ts';
import { pickFields, represent, type User, type UserFields } from '../../users/user.ts';
import { toNewId, toUserId } from '../queries/id.ts';
import { ignoring } from '../request/ignored.ts';
import { readMergePatch } from '../request/patch.ts';
import { checked, checkUser, withExternalId } from '../request/userBody.ts';

/** The context that all operations of a batch share. */
export interface Context {
  users: UserStore;
  origin: Origin;
  /** The key of a create that may be sent again. Each call is another create. */
  keyOf: (fields: UserFields) => string | undefined;
  /** Whether members that nothing comes of are refused. */
  isStrict: boolean;
}

/** The members of an operation, which nobody has looked at. */
type Given = Partial<Record<'op' | 'id' | 'externalId' | 'user' | 'patch' | 'ifMatch', unknown>>;

const refused = (message: string): ServiceError => userError('validation', message);

/** An id in a path is a text. */
const textOf = (id: unknown): string => (Number.isInteger(id) ? String(BigInt(id as number)) : '');

const written = (status: number, user: User): BatchResult => ({
  ...{ status, id: user.id, etag: etagOf(user) },
  user: represent(user),
});

/** @throws {ServiceError} 400 when it is no text */
function preconditionsOf({ ifMatch }: Given): { headers: Record<string, string> } {
  if (ifMatch === undefined) return { headers: {} };
  if (typeof ifMatch !== 'string') throw refused('ifMatch must be a string');
  return { headers: { 'if-match': ifMatch } };
}

const WRITES: Readonly<Record<BatchOp, (given: Given, context: Context) => Promise<BatchResult>>> = {
  async create({ id, user }, { users, origin, keyOf }) {
    const fields = pickFields(checkUser(user));
    if (id !== undefined) return written(201, await users.createWithId(toNewId(textOf(id)), fields, origin));
    const key = keyOf(fields);
    if (key === undefined) return written(201, await users.create(fields, origin));
    const created = await users.createOnce({ key, fields }, origin);
    // A result has no header that says it.
    return written(created.isReplayed ? 200 : 201, created.user);
  },

  async upsert(given, { users, origin }) {
    const fields = pickFields(withExternalId(checkUser(given.user), given.externalId));
    const asked = preconditionsOf(given);
    const check = (current: User | undefined) => checkPreconditions(asked, current);
    const { user, isNew } = await users.upsert(String(fields.externalId), fields, check, origin);
    return written(isNew ? 201 : 200, user);
  },

  async replace(given, { users, origin }) {
    const fields = pickFields(checkUser(given.user));
    const change = checked(preconditionsOf(given), () => fields);
    return written(200, await users.update(toUserId(textOf(given.id)), change, origin));
  },

  async patch(given, { users, origin }) {
    const change = checked(preconditionsOf(given), readMergePatch(given.patch));
    return written(200, await users.update(toUserId(textOf(given.id)), change, origin));
  },

  async delete(given, { users, origin }) {
    const [id, asked] = [toUserId(textOf(given.id)), preconditionsOf(given)];
    await users.delete(id, (current) => checkPreconditions(asked, current), origin);
    return { status: 204, id };
  },
};

const isMissing = (value: unknown): boolean =>
  value === undefined || (typeof value === 'string' && value.trim() === '');

const isOp = (op: unknown): op is BatchOp => typeof op === 'string' && Object.hasOwn(WRITES, op);

/** @throws {ServiceError} 400 when something is missing, or there that should not be: it may have been meant for something */
function refuseMembers(op: BatchOp, given: Given): void {
  const { needs, takes } = OPERATION_MEMBERS[op];
  const known: readonly string[] = ['op', ...needs, ...takes];
  const missing = needs.find((name) => isMissing(given[name]));
  if (missing) throw refused(`${missing} is required for ${op}`);
  const other = Object.keys(given).find((name) => !known.includes(name));
  if (other !== undefined) throw refused(`${op} takes only ${known.slice(1).join(', ')}`);
}

/** @throws {ServiceError} 400 when it could not be the body of a request of its own */
function refuseBody(name: 'user' | 'patch', { [name]: body }: Given): void {
  if (body === undefined) return;
  if (!isObject(body)) throw refused(`${name} must be an object`);
  if (Buffer.byteLength(JSON.stringify(body)) > MAX_BODY_BYTES)
    throw refused(`${name} must be at most ${MAX_BODY_BYTES} bytes`);
}

/** @throws {ServiceError} what a request of its own would be answered, and 400 when it is no operation */
export async function perform(operation: unknown, context: Context): Promise<BatchResult> {
  if (!isObject(operation)) throw refused('An operation must be an object');
  const given: Given = Object.fromEntries(Object.entries(operation).filter(([, value]) => value !== null));
  if (!isOp(given.op)) throw refused(`op must be one of ${Object.keys(WRITES).join(', ')}`);
  refuseMembers(given.op, given);
  refuseBody('user', given);
  refuseBody('patch', given);
  const ignored = ignoredIn(given.user ?? given.patch, ignoring, context.isStrict);
  const result = await WRITES[given.op](given, context);
  return ignored.length > 0 ? { ...result, ignored: named(ignored) } : result;
}
