/** The store of users, and the versions of a user, each made by one write: the first one, the later ones, and the end. */
import { note, type ServiceError } from '../ground/index.ts';
import type { Origin } from '../replica/index.ts';
import { type Database, findUser, readUser } from './database.ts';
import type { Change } from './entry.ts';
import { userError } from './errors.ts';
import { hashOf, type IdempotentCreate, readRecord, recordItem } from './idempotency.ts';
import { canBeGivenBy, creationTime } from './ids.ts';
import { firstVersion, lifeItem, readNextLife } from './lives.ts';
import { EXTERNAL_ID, findByExternalId, taken } from './unique.ts';
import { hasFields, pickFields, type User, type UserFields } from './user.ts';
import { contend, createWriter, refused, type Writer, write } from './write.ts';

/** A user with an id that the service has drawn: changed last when it was created. */
export const userAtFirst = (id: number, fields: UserFields): User => ({
  id,
  version: 1,
  ...fields,
  updatedAt: creationTime(id),
});

const newUser = ({ nextId }: Writer, fields: UserFields): User => userAtFirst(nextId(), fields);

const creation = (after: User, origin: Origin): Change & { after: User } => ({
  id: after.id,
  version: after.version,
  before: undefined,
  after,
  ...origin,
});

const createUser = (writer: Writer, fields: UserFields, origin: Origin): Promise<User> =>
  contend(writer, async (tries) => {
    const user = newUser(writer, fields);
    return (await write(writer, creation(user, origin), tries)) ? user : refused();
  });

interface CreatedOnce {
  user: User;
  /** An earlier call has created it. It may have changed or gone since. */
  isReplayed: boolean;
}

const keyIsTaken = (): ServiceError =>
  userError('idempotency-key-reused', 'Idempotency-Key was used for another request body within the last day');

/**
 * Creates one user per key, even if it is called several times or in parallel: the record of the key is written in the
 * transaction of the user. Later calls return the user as it was created, and that they repeat.
 *
 * @throws {ServiceError} 422 when the key stands for other fields
 */
const createOnce = (writer: Writer, { key, fields }: IdempotentCreate, origin: Origin): Promise<CreatedOnce> =>
  contend(writer, async (tries) => {
    const user = newUser(writer, fields);
    const record = recordItem(writer.database, { key, fields }, user.id);
    if (await write(writer, creation(user, origin), tries, { more: [record] })) return { user, isReplayed: false };
    const earlier = await readRecord(writer.database, key);
    if (!earlier) return refused();
    if (earlier.hash !== hashOf(fields)) throw keyIsTaken();
    return { user: userAtFirst(earlier.id, fields), isReplayed: true };
  });

interface WithId {
  readonly id: number;
  readonly fields: UserFields;
}

/**
 * Creates a user with the id of one who is gone, or who lives elsewhere. It is changed now, though the id is of an earlier moment.
 *
 * @param check throws if none must be created: it is called before each try
 * @throws {ServiceError} 400 when the service cannot have given this id by now, 412 when there is such a user
 */
async function createWithId(
  writer: Writer,
  { id, fields }: WithId,
  origin: Origin,
  check: () => Promise<void>,
): Promise<User> {
  const { database } = writer;
  if (!canBeGivenBy(id, database.runtime.now())) throw userError('impossible-id', `No user can have the id ${id} yet`);
  let least = 0;
  return contend(writer, async (tries) => {
    await check();
    const user = { id, version: firstVersion(database, least), ...fields };
    const { version } = user;
    const written = await write(writer, creation(user, origin), tries, { more: [lifeItem(database, id, version)] });
    if (written) return written.after;
    if (await findUser(database, id)) throw userError('user-exists', `There is a user with the id ${id}`);
    least = await readNextLife(database, id, version);
    return refused();
  });
}

/** Applies `next` to the newest version, and again if another writer was faster. Writes nothing if the user stays as it is. */
const rewrite = <Next extends User | undefined>(
  writer: Writer,
  id: number,
  origin: Origin,
  next: (current: User) => Next | Promise<Next>,
): Promise<Next> =>
  contend(writer, async (tries) => {
    const before = await readUser(writer.database, id);
    const after = await next(before);
    if (after === before) return after;
    const written = await write(writer, { id, version: before.version + 1, before, after, ...origin }, tries);
    return written ? written.after : refused();
  });

/** The user with other fields: the same if they are none. */
function changed(current: User, others: UserFields): User {
  const fields = pickFields(others);
  return hasFields(current, fields) ? current : { id: current.id, version: current.version + 1, ...fields };
}

/** An item of a user without its value stays longer than these tries only if a version that did not know the field left it behind. */
const MAX_CHANGING = 5;

interface WithExternalId {
  readonly externalId: string;
  readonly fields: UserFields;
}

/**
 * Creates or replaces the user with an external id, which is one of the fields. Of two at once one creates, and the other one replaces. It writes
 * nothing if that changes nothing, for two read units.
 *
 * @param check throws if this user must not be replaced, or none be created; it may be called several times
 */
const upsertUser = (
  writer: Writer,
  { externalId, fields }: WithExternalId,
  check: (current: User | undefined) => void,
  origin: Origin,
): Promise<{ user: User; isNew: boolean }> =>
  contend(writer, async (tries) => {
    const before = await findByExternalId(writer.database, externalId);
    if (before === 'changing') {
      if (tries > MAX_CHANGING) throw taken(EXTERNAL_ID);
      return refused();
    }
    check(before);
    if (before && hasFields(before, fields)) return { user: before, isNew: false };
    const user = before ? { id: before.id, version: before.version + 1, ...fields } : newUser(writer, fields);
    const change = { id: user.id, version: user.version, before, after: user, ...origin };
    const written = await write(writer, change, tries, { but: EXTERNAL_ID });
    return written ? { user: written.after, isNew: !before } : refused();
  });

/** How many transactions of one request run side by side. More would only meet the limits of the table sooner. */
export const TRANSACTIONS_AT_ONCE = 6;

/** Notes how many operations a request had, and how many of them failed, by their status. */
export function noteOperations(statuses: readonly number[]): void {
  const failed: Record<number, number> = {};
  for (const status of statuses) if (status >= 400) failed[status] = (failed[status] ?? 0) + 1;
  const faulty = statuses.filter((status) => status >= 500).length;
  note({ operations: statuses.length, failed, ...(faulty > 0 && { faultyOperations: faulty }) });
}

/** Reads and writes single users. All methods throw `ServiceError`: 404 for an unknown id, 409 for a value that is another user's alone, 503 when DynamoDB stays unavailable. */
export function createUserStore(database: Database, nextId?: () => number) {
  const writer = createWriter(database, nextId);
  return {
    get: (id: number): Promise<User> => readUser(database, id),

    create: (fields: UserFields, origin: Origin = {}) => createUser(writer, fields, origin),

    createOnce: (create: IdempotentCreate, origin: Origin = {}) => createOnce(writer, create, origin),

    createWithId: (id: number, fields: UserFields, origin: Origin = {}, check = async () => {}) =>
      createWithId(writer, { id, fields }, origin, check),

    /**
     * A change that changes nothing writes nothing, and the version stays.
     *
     * @param change returns all fields of the user; it gets the newest version, and may be called several times
     */
    update: (id: number, change: (current: User) => UserFields, origin: Origin = {}): Promise<User> =>
      rewrite(writer, id, origin, (current) => changed(current, change(current))),

    /**
     * Changes or deletes a user for an edit.
     *
     * @param next returns all fields of the user, or undefined if it is to be deleted; it may be called several times
     */
    edit: (id: number, origin: Origin, next: (current: User) => Promise<UserFields | undefined>) =>
      rewrite(writer, id, origin, async (current) => {
        const fields = await next(current);
        return fields && changed(current, fields);
      }),

    upsert: (externalId: string, fields: UserFields, check: (current: User | undefined) => void, origin: Origin = {}) =>
      upsertUser(writer, { externalId, fields }, check, origin),

    /** @param check throws if this version must not be deleted */
    async delete(id: number, check: (current: User) => void = () => {}, origin: Origin = {}): Promise<void> {
      await rewrite(writer, id, origin, (current) => void check(current));
    },
  };
}

export type UserStore = ReturnType<typeof createUserStore>;
