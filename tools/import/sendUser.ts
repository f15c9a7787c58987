import { createHash } from 'node:crypto';
import { pickFields, type UserFields } from '../../lib/users/user.ts';
import type { Service } from './client.ts';
import { Stop } from './stop.ts';

/** A user to be created. Without an id the service gives one. */
export interface Sent {
  fields: UserFields;
  id?: number;
}

/** What is so at the service: `there` as the file says, or `changed` or `gone` since an earlier import created the user. */
export interface Outcome {
  is: 'created' | 'there' | 'changed' | 'gone' | 'refused';
  /** Why it is not as the file says. */
  message?: string;
}

export type SendUser = (user: Sent) => Promise<Outcome>;

const TAKEN = 412;

/** Responses to requests that were not carried out. */
const NOT_WRITTEN = [401, 429];

/**
 * Idempotency keys: the same for the same fields, and counted, so that two equal lines are two users. Lines do not matter: a file can
 * be corrected and imported again.
 *
 * @param identity the file: equal users of two files are two
 */
export function createKeys(identity: string): (fields: UserFields) => string {
  // 48 bits of a digest, for little memory. Should two be equal, one user has the second number, in every run.
  const seen = new Map<number, number>();
  return (fields) => {
    const content = JSON.stringify([identity, fields]);
    const digest = createHash('sha256').update(content).digest();
    const short = digest.readUIntBE(0, 6);
    const occurrence = (seen.get(short) ?? 0) + 1;
    seen.set(short, occurrence);
    return `import-${digest.toString('base64url')}-${occurrence}`;
  };
}

/** A wrong path or token would refuse every line. */
const concernsAll = (status: number): boolean => status < 400 || [403, 404, 405].includes(status);

/** As stored: JSON has no -0. */
const isSame = (a: UserFields, b: UserFields): boolean => JSON.stringify(a) === JSON.stringify(b);

/** Creates users. Each is created once, however often it is sent. */
export function createSender({ client, ask }: Service, keyOf: (fields: UserFields) => string): SendUser {
  /** `isOurs`: an attempt whose answer was lost may have created the user. */
  async function create({ fields: body, id }: Sent) {
    const header = { 'Idempotency-Key': id === undefined ? keyOf(body) : '' };
    let sent = 0;
    const answer = await ask(async (signal) => {
      sent++;
      const result = await (id === undefined
        ? client.POST('/api/users', { params: { header }, body, signal })
        : client.PUT('/api/users/{id}', { params: { path: { id }, header: { 'If-None-Match': '*' } }, body, signal }));
      if (NOT_WRITTEN.includes(result.response.status)) sent--;
      return result;
    });
    return { ...answer, isOurs: sent > 1 };
  }

  /** The user with an id, as it is now. */
  async function find(id: number): Promise<UserFields | undefined> {
    const found = await ask((signal) => client.GET('/api/users/{id}', { params: { path: { id } }, signal }));
    if (found.status === 404) return undefined;
    if (!found.data) throw new Stop(found.reason);
    return pickFields(found.data);
  }

  /** There is a user with this id, or there was one: the answer to a key that has created it before says nothing about the present. */
  async function compare({ fields, id: kept }: Sent, id: number, isOurs: boolean): Promise<Outcome> {
    const found = await find(id);
    if (found && isSame(found, fields)) return { is: isOurs ? 'created' : 'there' };
    if (kept !== undefined) return { is: 'refused', message: `The id ${id} is taken by another user` };
    const user = `User ${id} was created by an earlier import`;
    if (found) return { is: 'changed', message: `${user} and has changed since` };
    const advice = 'to create it again, use --name with a new name';
    return { is: 'gone', message: `${user} and has been deleted since: ${advice}` };
  }

  return async (user) => {
    const { status, message, reason, data, headers, isOurs } = await create(user);
    if (status === 201 && headers.has('idempotency-replayed')) return compare(user, Number(data?.id), isOurs);
    if (status === 201) return { is: 'created' };
    if (status === TAKEN && user.id !== undefined) return compare(user, user.id, isOurs);
    if (concernsAll(status)) throw new Stop(reason);
    return { is: 'refused', message: status < 500 ? message : reason };
  };
}
