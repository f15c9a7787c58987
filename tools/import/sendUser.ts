import { createHash } from 'node:crypto';
import { pickFields, type UserFields } from '../../lib/users/user.ts';
import { quoted } from '../program/stop.ts';
import { type Batches, creating, type Result } from './batches.ts';
import { isAnother } from './createdIds.ts';

/** A user to be created. Without ids the service gives one. */
export interface Sent {
  fields: UserFields;
  /** The values of the line, with `undefined` or null where it says that there is none. */
  given: Readonly<Record<string, unknown>>;
  /** Attributes of the line that the user does not get. */
  leftOut?: readonly string[] | undefined;
  /** The first that no other user has. */
  ids?: readonly number[] | undefined;
}

type SentOnce = Pick<Sent, 'fields'> & { id: number | undefined };

/**
 * The state of the user at the service: `there` as the file says, `changed` if the fields differ, `gone` since an earlier import, or `updated` to what
 * the file says.
 */
export interface Outcome {
  is: 'created' | 'there' | 'changed' | 'gone' | 'updated' | 'refused';
  /** Why it is not as the file says. */
  message?: string;
  /** The fields that the service has instead. */
  there?: UserFields;
  /** The fields that were updated. */
  updated?: readonly string[];
}

export type SendUser = (user: Sent) => Promise<Outcome>;

export const ALREADY_THERE = 412;

/**
 * Idempotency keys: one for all different users of a file, and others for those who come again, so that two equal lines are two users. In a
 * batch the service tells users of one key apart by their fields. Lines do not matter: a file can be corrected and imported again.
 *
 * @param identity the file: equal users of two files are two
 */
export function createKeys(identity: string): (fields: UserFields) => string {
  const file = createHash('sha256').update(identity).digest('base64url');
  // 48 bits of a digest, for little memory. Should two be equal, one user has the second number, in every run.
  const seen = new Map<number, number>();
  return (fields) => {
    const short = createHash('sha256').update(JSON.stringify(fields)).digest().readUIntBE(0, 6);
    const occurrence = (seen.get(short) ?? 0) + 1;
    seen.set(short, occurrence);
    return `import-${file}-${occurrence}`;
  };
}

/** Why the service has refused a line. */
export const refusalOf = ({ status, message = '' }: Result): Outcome => ({
  is: 'refused',
  message: (status < 500 ? '' : `The service responded with ${status}: `) + quoted(message),
});

/** As stored: JSON has no -0. */
export const isSame = (a: unknown, b: unknown): boolean => JSON.stringify(a) === JSON.stringify(b);

/** Creates users. Each is created once, however often it is sent. */
export function createSender({ run, find }: Batches, keyOf: (fields: UserFields) => string): SendUser {
  const create = ({ fields, id }: SentOnce) => run(creating(fields, id), id === undefined ? keyOf(fields) : undefined);

  /** The answer to a key that has created a user before says nothing about the present. */
  async function compare({ fields, id: kept }: SentOnce, id: number): Promise<Outcome> {
    const found = await find(id);
    const user = `User ${id} was created by an earlier import`;
    const advice = 'to create it again, use --name with a new name';
    if (!found) return { is: 'gone', message: `${user} and has been deleted since: ${advice}` };
    const there = pickFields(found);
    if (isSame(there, fields)) return { is: 'there' };
    const message = kept === undefined ? `${user} and has changed since` : `User ${id} is there, with other fields`;
    return { is: 'changed', message, there };
  }

  async function sendOnce(user: SentOnce): Promise<Outcome> {
    const result = await create(user);
    if (result.status === 201) return { is: 'created' };
    const id = result.status === ALREADY_THERE ? user.id : result.id;
    return id === undefined ? refusalOf(result) : compare(user, id);
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
