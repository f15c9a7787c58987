import type { Origin } from '../replica/index.ts';
import type { IdempotentCreate } from './creation.ts';
import type { Database } from './database.ts';
import type { User, UserFields } from './user.ts';
import { readUser } from './userItem.ts';
import { changed, createOnce, createUser, createWithId, rewrite, upsertUser } from './versions.ts';
import { createWriter } from './write.ts';

/** Reads and writes single users. All methods throw `ServiceError`: 404 for an unknown id, 409 for a value that is another user's alone, 503 when DynamoDB stays unavailable. */
export function createUserStore(database: Database, nextId?: () => number) {
  const writer = createWriter(database, nextId);
  return {
    get: (id: number): Promise<User> => readUser(database, id),

    create: (fields: UserFields, origin: Origin = {}) => createUser(writer, fields, origin),

    createOnce: (create: IdempotentCreate, origin: Origin = {}) => createOnce(writer, create, origin),

    createWithId: (id: number, fields: UserFields, origin: Origin = {}, check = async () => {}) =>
      createWithId(writer, id, fields, origin, check),

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
      upsertUser(writer, externalId, fields, check, origin),

    /** @param check throws if this version must not be deleted */
    async delete(id: number, check: (current: User) => void = () => {}, origin: Origin = {}): Promise<void> {
      await rewrite(writer, id, origin, (current) => void check(current));
    },
  };
}

export type UserStore = ReturnType<typeof createUserStore>;
