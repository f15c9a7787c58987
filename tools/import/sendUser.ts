import { createHash } from 'node:crypto';
import { pickFields, type UserFields } from '../../lib/users/user.ts';
import type { UserInput } from '../../schemas/user.ts';
import type { Service } from './client.ts';
import { isAnother } from './createdIds.ts';
import { Stop } from './stop.ts';

/** A user to be created. Without ids the service gives one. */
export interface Sent {
  fields: UserFields;
  /** The first that no other user has. */
  ids?: readonly number[] | undefined;
}

type SentOnce = Pick<Sent, 'fields'> & { id: number | undefined };

/** What is so at the service: `there` as the file says, `changed` if the fields differ, or `gone` since an earlier import. */
export interface Outcome {
  is: 'created' | 'there' | 'changed' | 'gone' | 'refused';
  /** Why it is not as the file says. */
  message?: string;
  /** What is there instead. */
  there?: UserFields;
}

export type SendUser = (user: Sent) => Promise<Outcome>;

const ALREADY_THERE = 412;

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
  function create({ fields, id }: SentOnce) {
    const header = { 'Idempotency-Key': id === undefined ? keyOf(fields) : '' };
    const body = fields as UserInput;
    return ask((signal) =>
      id === undefined
        ? client.POST('/api/users', { params: { header }, body, signal })
        : client.PUT('/api/users/{id}', { params: { path: { id }, header: { 'If-None-Match': '*' } }, body, signal }),
    );
  }

  /** The answer to a key that has created a user before says nothing about the present. */
  async function compare({ fields, id: kept }: SentOnce, id: number): Promise<Outcome> {
    const found = await ask((signal) => client.GET('/api/users/{id}', { params: { path: { id } }, signal }));
    const user = `User ${id} was created by an earlier import`;
    const advice = 'to create it again, use --name with a new name';
    if (found.status === 404) return { is: 'gone', message: `${user} and has been deleted since: ${advice}` };
    if (!found.data) throw new Stop(found.reason);
    const there = pickFields(found.data);
    if (isSame(there, fields)) return { is: 'there' };
    const message = kept === undefined ? `${user} and has changed since` : `User ${id} is there, with other fields`;
    return { is: 'changed', message, there };
  }

  /** Whether the user before was there. Then this one probably is, too, and a read is cheaper than a write that is refused. */
  let isRepeated = false;

  async function sendOnce(user: SentOnce): Promise<Outcome> {
    const { id } = user;
    if (id !== undefined && isRepeated) {
      const outcome = await compare(user, id);
      if (outcome.is !== 'gone') return outcome;
    }
    const { status, message, reason, data, headers } = await create(user);
    isRepeated = status === ALREADY_THERE;
    if (status === 201 && headers.has('idempotency-replayed')) return compare(user, Number(data?.id));
    if (status === 201) return { is: 'created' };
    if (status === ALREADY_THERE && id !== undefined) return compare(user, id);
    if (concernsAll(status)) throw new Stop(reason);
    return { is: 'refused', message: status < 500 ? message : reason };
  }

  return async ({ fields, ids = [undefined] }) => {
    for (const id of ids) {
      const outcome = await sendOnce({ fields, id });
      // The one id that a file names is not exchanged for another.
      if (!id || ids.length === 1 || !outcome.there || !isAnother(outcome.there, fields, id)) return outcome;
    }
    return { is: 'refused', message: 'All ids of this user at this moment are taken: give another millisecond' };
  };
}
