import { type DynamoDBDocumentClient, GetCommand } from '@aws-sdk/lib-dynamodb';
import { sleepWithin } from '../deadline.ts';
import { backoff } from '../dynamodb/backoff.ts';
import type { TableNames } from '../dynamodb/tables.ts';
import { type TransactionItem, type TransactionOutcome, transact } from '../dynamodb/transact.ts';
import { ServiceError, unavailable, userNotFound } from '../errors.ts';
import type { Runtime } from '../runtime.ts';
import { hashOf, type IdempotentCreate, readRecord, recordItem } from './idempotency.ts';
import { createIdSource } from './ids.ts';
import { type Row, readRow } from './statistics/rows.ts';
import { type CountedUser, pickFields, toUser, type User, type UserFields } from './user.ts';
import { type Change, type Held, rowsLeft, transactionGroups, transactionOf } from './write.ts';

const MAX_ATTEMPTS = 40;

const keyIsTaken = (): ServiceError =>
  new ServiceError(422, 'Idempotency-Key was used for another request body within the last day');

export interface UserStoreDependencies {
  dynamo: DynamoDBDocumentClient;
  tables: TableNames;
  runtime: Runtime;
}

/** Users one by one. All methods throw `ServiceError`: 404 for an unknown id, 503 when DynamoDB stays unavailable. */
export function createUserStore({ dynamo, tables, runtime }: UserStoreDependencies) {
  const nextId = createIdSource(runtime);

  const write = (changes: Change[], held?: Held, more: TransactionItem[] = []): Promise<TransactionOutcome> =>
    transact({ dynamo, runtime }, [...transactionOf(tables, changes, 0, held), ...more]);

  async function readHeld(change: Change): Promise<Held> {
    const { count, lastName } = rowsLeft(change);
    const read = (row: Row | undefined) => (row ? readRow(dynamo, tables, row) : {});
    const [countHeld, lastNameHeld] = await Promise.all([read(count), read(lastName)]);
    return { count: countHeld, lastName: lastNameHeld };
  }

  /** U1 */
  async function readUser(id: number): Promise<CountedUser> {
    const { Item } = await dynamo.send(new GetCommand({ TableName: tables.users, Key: { id }, ConsistentRead: true }));
    if (!Item) throw userNotFound(id);
    return { ...toUser(Item), shard: Number(Item.shard) };
  }

  /** All of them or none, with new ids as long as one is taken. */
  async function insert(all: readonly UserFields[]): Promise<User[]> {
    for (let attempt = 0; attempt < MAX_ATTEMPTS; attempt++) {
      const users = all.map((fields): User => ({ id: nextId(), version: 1, ...fields }));
      if ((await write(users.map((after) => ({ before: undefined, after })))) === 'committed') return users;
    }
    throw unavailable(`Ids were taken ${MAX_ATTEMPTS} times in a row`);
  }

  /** Applies `next` to the newest version, again and again until no other writer came in between. */
  async function rewrite<Next extends User | undefined>(id: number, next: (current: User) => Next): Promise<Next> {
    for (let attempt = 0; attempt < MAX_ATTEMPTS; attempt++) {
      const before = await readUser(id);
      const after = next(before);
      const change = { before, after };
      if ((await write([change], await readHeld(change))) === 'committed') return after;
      await sleepWithin(runtime, backoff(attempt, runtime.random));
    }
    throw unavailable(`User ${id} was changed by others ${MAX_ATTEMPTS} times in a row`);
  }

  return {
    async get(id: number): Promise<User> {
      const { shard: _, ...user } = await readUser(id);
      return user;
    },

    async create(fields: UserFields): Promise<User> {
      const [user] = await insert([fields]);
      return user as User;
    },

    /**
     * Creates one user for a key, however often and however parallel it is asked to: the record of the key is written in
     * the transaction of the user. Whoever asks again gets the user as it was created.
     *
     * @throws {ServiceError} 422 when the key stands for other fields
     */
    async createOnce({ key, fields }: IdempotentCreate): Promise<User> {
      for (let attempt = 0; attempt < MAX_ATTEMPTS; attempt++) {
        const after: User = { id: nextId(), version: 1, ...fields };
        const record = recordItem(tables, { key, fields }, after.id, runtime.now());
        if ((await write([{ before: undefined, after }], undefined, [record])) === 'committed') return after;
        const earlier = await readRecord(dynamo, tables, key, runtime.now());
        if (earlier && earlier.hash !== hashOf(fields)) throw keyIsTaken();
        if (earlier) return { id: earlier.id, version: 1, ...fields };
      }
      throw unavailable(`Ids were taken ${MAX_ATTEMPTS} times in a row`);
    },

    /** Creates users in large transactions: much quicker than one by one, and as exact at every moment. */
    async createMany(all: readonly UserFields[]): Promise<User[]> {
      const created: User[] = [];
      for (const group of transactionGroups(all)) created.push(...(await insert(group)));
      return created;
    },

    /** The user keeps its id; `change` gives all other fields, from the newest ones where it asks for them. */
    update: (id: number, change: (current: User) => UserFields): Promise<User> =>
      rewrite(id, (current) => ({ id, version: current.version + 1, ...pickFields(change(current)) })),

    /** @param check may refuse, by throwing, to delete the version that it is given */
    async delete(id: number, check: (current: User) => void = () => {}): Promise<void> {
      await rewrite(id, (current) => {
        check(current);
        return undefined;
      });
    },
  };
}
