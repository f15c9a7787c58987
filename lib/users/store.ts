import { Again, CONFLICT_DELAYS, retry, type TransactionItem, transact } from '../dynamodb/index.ts';
import { ServiceError, unavailable } from '../ground/index.ts';
import type { Change, Origin } from '../replica/entry.ts';
import type { Database } from './database.ts';
import { createEmailCheck } from './emails.ts';
import { hashOf, type IdempotentCreate, readRecord, recordItem } from './idempotency.ts';
import { canBeGivenBy, createIdSource } from './ids.ts';
import { firstVersion, lifeItem, readNextLife } from './life.ts';
import { createNameCheck } from './names.ts';
import { createHeadCheck } from './pressure.ts';
import { findUser, readUser } from './read.ts';
import { EXTERNAL_ID, findByExternalId, refuseTaken, taken, type Unique } from './unique.ts';
import { hasFields, pickFields, type User, type UserFields } from './user.ts';
import { changeItems } from './write.ts';

/** More tries than this mean that something else is wrong. */
const MAX_CONTENTIONS = 40;

const keyIsTaken = (): ServiceError =>
  new ServiceError('idempotency-key-reused', 'Idempotency-Key was used for another request body within the last day');

/** An item of a user without its value stays longer than so many tries only if a version that did not know the field left it behind. */
const MAX_CHANGING = 5;

interface CreatedOnce {
  user: User;
  /** An earlier call has created it. It may have changed or gone since. */
  isReplayed: boolean;
}

/** Reads and writes single users. All methods throw `ServiceError`: 404 for an unknown id, 409 for a value that is another user's alone, 503 when DynamoDB stays unavailable. */
export function createUserStore(database: Database, nextId = createIdSource(database.runtime)) {
  const { runtime } = database;
  const checkEmails = createEmailCheck(database);
  const checkHead = createHeadCheck(database);
  const checkNames = createNameCheck(database);

  const newUser = (fields: UserFields): User => ({ id: nextId(), version: 1, ...fields });

  /**
   * @param tries with this one. If others were refused, it is asked why
   * @param but the field that is not asked about
   */
  async function write(
    change: Change,
    tries: number,
    more: readonly TransactionItem[] = [],
    but?: Unique,
  ): Promise<boolean> {
    const parts = await checkHead(change);
    await checkEmails(change);
    await checkNames(change);
    if (tries > 1) await refuseTaken(database, change, but);
    return transact(database, [...changeItems(database, change, parts), ...more]);
  }

  /** Tries a write until it is not refused. */
  const contend = <Result>(attempt: (tries: number) => Promise<Result | Again>): Promise<Result> =>
    retry(runtime, MAX_CONTENTIONS, attempt);

  const refused = () =>
    new Again(CONFLICT_DELAYS, unavailable(`Other writers were faster ${MAX_CONTENTIONS} times in a row`));

  const creation = (after: User, origin: Origin): Change => ({
    id: after.id,
    version: after.version,
    before: undefined,
    after,
    ...origin,
  });

  /** Applies `next` to the newest version, and again if another writer was faster. Writes nothing if the user stays as it is. */
  const rewrite = <Next extends User | undefined>(
    id: number,
    origin: Origin,
    next: (current: User) => Next | Promise<Next>,
  ): Promise<Next> =>
    contend(async (tries) => {
      const before = await readUser(database, id);
      const after = await next(before);
      if (after === before) return after;
      const change = { id, version: before.version + 1, before, after, ...origin };
      return (await write(change, tries)) ? after : refused();
    });

  /** The user with other fields: the same if they are none. */
  function changed(current: User, others: UserFields): User {
    const fields = pickFields(others);
    return hasFields(current, fields) ? current : { id: current.id, version: current.version + 1, ...fields };
  }

  return {
    get: (id: number): Promise<User> => readUser(database, id),

    create: (fields: UserFields, origin: Origin = {}): Promise<User> =>
      contend(async (tries) => {
        const user = newUser(fields);
        return (await write(creation(user, origin), tries)) ? user : refused();
      }),

    /**
     * Creates one user per key, even if it is called several times or in parallel: the record of the key is written in the
     * transaction of the user. Later calls return the user as it was created, and that they repeat.
     *
     * @throws {ServiceError} 422 when the key stands for other fields
     */
    createOnce: ({ key, fields }: IdempotentCreate, origin: Origin = {}): Promise<CreatedOnce> =>
      contend(async (tries) => {
        const user = newUser(fields);
        const record = recordItem(database, { key, fields }, user.id);
        if (await write(creation(user, origin), tries, [record])) return { user, isReplayed: false };
        const earlier = await readRecord(database, key);
        if (!earlier) return refused();
        if (earlier.hash !== hashOf(fields)) throw keyIsTaken();
        return { user: { id: earlier.id, version: 1, ...fields }, isReplayed: true };
      }),

    /**
     * Creates a user with the id of one who is gone, or who lives elsewhere.
     *
     * @param check throws if none must be created: it is called before each try
     * @throws {ServiceError} 400 when the service cannot have given this id by now, 412 when there is such a user
     */
    async createWithId(
      id: number,
      fields: UserFields,
      origin: Origin = {},
      check: () => Promise<void> = async () => {},
    ): Promise<User> {
      if (!canBeGivenBy(id, runtime.now()))
        throw new ServiceError('impossible-id', `No user can have the id ${id} yet`);
      let least = 0;
      return contend(async (tries) => {
        await check();
        const user = { id, version: firstVersion(database, least), ...fields };
        const { version } = user;
        if (await write(creation(user, origin), tries, [lifeItem(database, id, version)])) return user;
        if (await findUser(database, id)) throw new ServiceError('user-exists', `There is a user with the id ${id}`);
        least = await readNextLife(database, id, version);
        return refused();
      });
    },

    /**
     * A change that changes nothing writes nothing, and the version stays.
     *
     * @param change returns all fields of the user; it gets the newest version, and may be called several times
     */
    update: (id: number, change: (current: User) => UserFields, origin: Origin = {}): Promise<User> =>
      rewrite(id, origin, (current) => changed(current, change(current))),

    /**
     * Changes or deletes a user for an edit.
     *
     * @param next returns all fields of the user, or undefined if it is to be deleted; it may be called several times
     */
    edit: (id: number, origin: Origin, next: (current: User) => Promise<UserFields | undefined>) =>
      rewrite(id, origin, async (current) => {
        const fields = await next(current);
        return fields && changed(current, fields);
      }),

    /**
     * Creates or replaces the user with an external id, which is one of the fields. Of two at once one creates, and the other one replaces. It writes
     * nothing if that changes nothing, for two read units.
     *
     * @param check throws if this user must not be replaced, or none be created; it may be called several times
     */
    upsert: (externalId: string, fields: UserFields, check: (current: User | undefined) => void, origin: Origin = {}) =>
      contend(async (tries) => {
        const before = await findByExternalId(database, externalId);
        if (before === 'changing') {
          if (tries > MAX_CHANGING) throw taken(EXTERNAL_ID);
          return refused();
        }
        check(before);
        if (before && hasFields(before, fields)) return { user: before, isNew: false };
        const user = before ? { id: before.id, version: before.version + 1, ...fields } : newUser(fields);
        const change = { id: user.id, version: user.version, before, after: user, ...origin };
        return (await write(change, tries, [], EXTERNAL_ID)) ? { user, isNew: !before } : refused();
      }),

    /** @param check throws if this version must not be deleted */
    async delete(id: number, check: (current: User) => void = () => {}, origin: Origin = {}): Promise<void> {
      await rewrite(id, origin, (current) => void check(current));
    },
  };
}

export type UserStore = ReturnType<typeof createUserStore>;
