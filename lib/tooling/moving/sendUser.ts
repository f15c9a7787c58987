import { createHash } from 'node:crypto';
import { pickFields, type UserFields } from '../../users/user.ts';
import { createRequests, type RequestOptions } from './requests.ts';
import { Stop } from './stop.ts';

/** A user to be created. Without an id the service gives one. */
export interface Sent {
  fields: UserFields;
  id?: number;
}

/** Whether a user is there now, or why not. */
export type Outcome = { isIn: true; wasThere?: boolean } | { isIn: false; message: string };

const TAKEN = 412;

/** Responses to requests that were not carried out. */
const NOT_WRITTEN = [401, 429];

/** Idempotency keys. The same line of the same file has the same key, so a run that was cut off can be repeated. */
export function createKeys(identity: string): (line: number) => string {
  const file = createHash('sha256').update(identity).digest('base64url');
  return (line) => `import-${file}-${line}`;
}

/** A wrong path or token would refuse every line. */
const concernsAll = (status: number): boolean => status < 400 || [403, 404, 405].includes(status);

export interface SenderOptions extends RequestOptions {
  keyOf: (line: number) => string;
}

export type SendUser = (user: Sent, line: number) => Promise<Outcome>;

/** Creates users. Each is created once, however often it is sent. */
export function createSender({ keyOf, ...options }: SenderOptions): SendUser {
  const { client } = options.connection;
  const ask = createRequests(options);

  /** `sent`: how often it was sent so that it may have been written. */
  async function create({ fields: body, id }: Sent, line: number) {
    let sent = 0;
    const answer = await ask(async (signal) => {
      sent++;
      const result = await (id === undefined
        ? client.POST('/api/users', { params: { header: { 'Idempotency-Key': keyOf(line) } }, body, signal })
        : client.PUT('/api/users/{id}', { params: { path: { id }, header: { 'If-None-Match': '*' } }, body, signal }));
      if (NOT_WRITTEN.includes(result.response.status)) sent--;
      return result;
    });
    return { ...answer, sent };
  }

  /** As stored: JSON has no -0. */
  const isSame = (a: UserFields, b: UserFields): boolean => JSON.stringify(a) === JSON.stringify(b);

  /** Whether the user who has the id already is the same. Undefined if this user has gone by now. */
  async function compare(id: number, fields: UserFields, sent: number): Promise<Outcome | undefined> {
    const found = await ask((signal) => client.GET('/api/users/{id}', { params: { path: { id } }, signal }));
    if (found.status === 404) return undefined;
    if (!found.data) throw new Stop(found.reason);
    // If it was sent several times, an attempt whose answer was lost has created it.
    if (isSame(pickFields(found.data), fields)) return { isIn: true, wasThere: sent === 1 };
    return { isIn: false, message: `The id ${id} is taken by another user` };
  }

  return async (user, line) => {
    for (;;) {
      const { status, message, reason, sent } = await create(user, line);
      if (status === 201) return { isIn: true };
      if (concernsAll(status)) throw new Stop(reason);
      if (status !== TAKEN || user.id === undefined) return { isIn: false, message: status < 500 ? message : reason };
      const outcome = await compare(user.id, user.fields, sent);
      if (outcome) return outcome;
    }
  };
}
