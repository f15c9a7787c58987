import { createHash } from 'node:crypto';
import { isDeepStrictEqual } from 'node:util';
import type { Runtime } from '../../runtime.ts';
import { pickFields, type UserFields } from '../../users/user.ts';
import type { Connection } from './client.ts';
import type { Pace } from './pace.ts';
import { reasonOf, Stop } from './stop.ts';

const REQUEST_TIMEOUT_MS = 30_000;

/** How often a line is sent if the service responds with 500. */
const MAX_FAULTS_PER_LINE = 8;

/** A user to be created. Without an id the service gives one. */
export interface Sent {
  fields: UserFields;
  id?: number;
}

/** Whether a user is there now, or why not. */
export type Outcome = { isIn: true; wasThere?: boolean } | { isIn: false; message: string };

/** The result of one request. */
interface PostResult {
  /** 0 without a response. */
  status: number;
  message: string;
  retryAfterMs?: number;
  /** There is a user with the id and the same fields. */
  isThere?: boolean;
}

const TAKEN = 412;

/** Seconds, or a date (RFC 9110, section 10.2.3). */
export function retryAfterMs(headers: Headers, now: number): number | undefined {
  const field = headers.get('retry-after');
  if (field === null) return undefined;
  const wait = /^\d+$/.test(field) ? Number(field) * 1_000 : Date.parse(field) - now;
  return Number.isNaN(wait) ? undefined : Math.max(0, wait);
}

/** Idempotency keys. The same line of the same file has the same key, so a run that was cut off can be repeated. */
export function createKeys(identity: string): (line: number) => string {
  const file = createHash('sha256').update(identity).digest('base64url');
  return (line) => `import-${file}-${line}`;
}

type NextStep = 'in' | 'refused' | 'later' | 'renew' | 'stop';

/** A wrong path or token would refuse every line, so the run stops. 408, 429 and everything from 500 on is tried again. */
function nextStepFor(status: number): NextStep {
  if (status === 201) return 'in';
  if (status === 401) return 'renew';
  if (status === 0 || status === 408 || status === 429 || status >= 500) return 'later';
  return status < 400 || [403, 404, 405].includes(status) ? 'stop' : 'refused';
}

export interface SenderOptions {
  connection: Connection;
  pace: Pace;
  runtime: Runtime;
  keyOf: (line: number) => string;
}

export type SendUser = (user: Sent, line: number) => Promise<Outcome>;

/** Creates users. Each is created once, however often it is sent. */
export function createSender({ connection, pace, runtime, keyOf }: SenderOptions): SendUser {
  const request = ({ fields: body, id }: Sent, line: number) => {
    const signal = AbortSignal.timeout(REQUEST_TIMEOUT_MS);
    if (id === undefined) {
      const params = { header: { 'Idempotency-Key': keyOf(line) } };
      return connection.client.POST('/api/users', { params, body, signal });
    }
    const params = { path: { id }, header: { 'If-None-Match': '*' } };
    return connection.client.PUT('/api/users/{id}', { params, body, signal });
  };

  /** Whether the user who has the id already is the same one. A user who has gone by now is sent again. */
  async function compare({ fields, id = 0 }: Sent): Promise<PostResult> {
    const signal = AbortSignal.timeout(REQUEST_TIMEOUT_MS);
    const { data, response } = await connection.client.GET('/api/users/{id}', { params: { path: { id } }, signal });
    if (response.status === 404) return { status: 0, message: 'The user came and went meanwhile' };
    if (!data) return { status: response.status, message: 'The user with this id cannot be read' };
    const isThere = isDeepStrictEqual(pickFields(data), fields);
    return { status: TAKEN, message: `The id ${id} is taken by another user`, isThere };
  }

  async function post(user: Sent, line: number): Promise<PostResult> {
    try {
      const { response, error } = await request(user, line);
      if (response.status === TAKEN && user.id !== undefined) return await compare(user);
      const wait = retryAfterMs(response.headers, runtime.now());
      const message = String((error as { message?: unknown } | undefined)?.message ?? '');
      return { status: response.status, message, ...(wait !== undefined && { retryAfterMs: wait }) };
    } catch (error) {
      return { status: 0, message: reasonOf(error) };
    }
  }

  return async (user, line) => {
    let [faults, renewals] = [0, 0];
    for (;;) {
      let [sentAt, token]: [number, string | undefined] = [0, undefined];
      const response = await pace.inTurn(() => {
        sentAt = runtime.monotonic();
        token = connection.token();
        return post(user, line);
      });
      const reason =
        response.status === 0 ? response.message : `The service responded with ${response.status}: ${response.message}`;
      let nextStep = response.isThere ? 'in' : nextStepFor(response.status);
      if (nextStep === 'renew' && renewals++ > 0) nextStep = 'stop';
      if (response.status === 500 && ++faults === MAX_FAULTS_PER_LINE) nextStep = 'refused';
      if (nextStep === 'stop') throw new Stop(reason);
      else if (nextStep === 'renew') await connection.renew(token);
      else if (nextStep === 'later') pace.slowDown(sentAt, response.retryAfterMs, reason);
      else {
        pace.settled();
        return nextStep === 'in'
          ? { isIn: true, ...(response.isThere && { wasThere: true }) }
          : { isIn: false, message: response.status < 500 ? response.message : reason };
      }
    }
  };
}
