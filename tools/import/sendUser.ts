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
export type Outcome = { is: 'created' | 'there' } | { is: 'changed' | 'gone' | 'refused'; message: string };

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
  /** `sent`: how often it was sent so that it may have been written. */
  async function create({ fields: body, id }: Sent, key = '') {
    let sent = 0;
    const answer = await ask(async (signal) => {
      sent++;
      const result = await (id === undefined
        ? client.POST('/api/users', { params: { header: { 'Idempotency-Key': key } }, body, signal })
        : client.PUT('/api/users/{id}', { params: { path: { id }, header: { 'If-None-Match': '*' } }, body, signal }));
      if (NOT_WRITTEN.includes(result.response.status)) sent--;
      return result;
    });
    return { ...answer, sent };
  }

  /** The user with an id, as it is now. */
  async function find(id: number): Promise<UserFields | undefined> {
    const found = await ask((signal) => client.GET('/api/users/{id}', { params: { path: { id } }, signal }));
    if (found.status === 404) return undefined;
    if (!found.data) throw new Stop(found.reason);
    return pickFields(found.data);
  }

  // If a user was sent several times, an attempt whose answer was lost has created it.
  const thereAfter = (sent: number): Outcome => ({ is: sent === 1 ? 'there' : 'created' });

  /** A key that has created its user before: the answer says nothing about the present. */
  async function compare(id: number, fields: UserFields, sent: number): Promise<Outcome> {
    const found = await find(id);
    const user = `User ${id} was created by an earlier import`;
    if (!found)
      return {
        is: 'gone',
        message: `${user} and has been deleted since: to create it again, use --name with a new name`,
      };
    return isSame(found, fields) ? thereAfter(sent) : { is: 'changed', message: `${user} and has changed since` };
  }

  async function sendNew({ fields }: Sent): Promise<Outcome> {
    const answer = await create({ fields }, keyOf(fields));
    const { status, message, reason, data, headers, sent } = answer;
    if (status === 201 && headers.has('idempotency-replayed')) return compare(Number(data?.id), fields, sent);
    if (status === 201) return { is: 'created' };
    if (concernsAll(status)) throw new Stop(reason);
    return { is: 'refused', message: status < 500 ? message : reason };
  }

  async function sendWithId(id: number, fields: UserFields): Promise<Outcome> {
    for (;;) {
      const { status, message, reason, sent } = await create({ fields, id });
      if (status === 201) return { is: 'created' };
      if (concernsAll(status)) throw new Stop(reason);
      if (status !== TAKEN) return { is: 'refused', message: status < 500 ? message : reason };
      const found = await find(id);
      if (found && isSame(found, fields)) return thereAfter(sent);
      if (found) return { is: 'refused', message: `The id ${id} is taken by another user` };
    }
  }

  return (user) => (user.id === undefined ? sendNew(user) : sendWithId(user.id, user.fields));
}
