import { createHash } from 'node:crypto';
import type { UserInput } from '../../../schemas/user.ts';
import type { Runtime } from '../../runtime.ts';
import type { Connection } from './client.ts';
import type { Pace } from './pace.ts';
import { reasonOf, Stop } from './stop.ts';

const TIMEOUT_MS = 30_000;

/** So often a line is sent that the service fails at, while it takes others. */
const MAX_FAULTS = 8;

/** Whether a user is in, or why not. */
export type Outcome = { isIn: true } | { isIn: false; message: string };

/** What one request came to. */
interface Answer {
  /** 0 when there was none. */
  status: number;
  message: string;
  retryAfterMs?: number;
}

/** Seconds, or a date (RFC 9110, section 10.2.3). */
export function retryAfterMs(headers: Headers, now: number): number | undefined {
  const field = headers.get('retry-after');
  if (field === null) return undefined;
  const wait = /^\d+$/.test(field) ? Number(field) * 1_000 : Date.parse(field) - now;
  return Number.isNaN(wait) ? undefined : Math.max(0, wait);
}

/** The same for the same line of the same file, so that a run that was cut off can be run again. */
export function createKeys(identity: string): (line: number) => string {
  const file = createHash('sha256').update(identity).digest('base64url');
  return (line) => `import-${file}-${line}`;
}

type Verdict = 'in' | 'refused' | 'later' | 'renew' | 'stop';

/** What is refused for its path or its token would be refused for every line; 408, 429 and what is above 499 passes. */
function verdictOf(status: number): Verdict {
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

export type Send = (user: UserInput, line: number) => Promise<Outcome>;

/** Creates users, each once, however often it has to ask. */
export function createSender({ connection, pace, runtime, keyOf }: SenderOptions): Send {
  async function post(user: UserInput, line: number): Promise<Answer> {
    try {
      const { response, error } = await connection.client.POST('/api/users', {
        params: { header: { 'Idempotency-Key': keyOf(line) } },
        body: user,
        signal: AbortSignal.timeout(TIMEOUT_MS),
      });
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
      const answer = await pace.inTurn(() => {
        sentAt = runtime.monotonic();
        token = connection.token();
        return post(user, line);
      });
      const said = answer.status === 0 ? answer.message : `The service answered ${answer.status}: ${answer.message}`;
      let verdict = verdictOf(answer.status);
      if (verdict === 'renew' && renewals++ > 0) verdict = 'stop';
      if (answer.status === 500 && ++faults === MAX_FAULTS) verdict = 'refused';
      if (verdict === 'stop') throw new Stop(said);
      else if (verdict === 'renew') await connection.renew(token);
      else if (verdict === 'later') pace.slowDown(sentAt, answer.retryAfterMs, said);
      else {
        pace.settled();
        return verdict === 'in'
          ? { isIn: true }
          : { isIn: false, message: answer.status < 500 ? answer.message : said };
      }
    }
  };
}
