import { ensureTime, fault, type Runtime, timeLeft, unavailable } from '../ground/index.ts';

/** JSON of the engine. */
// biome-ignore lint/suspicious/noExplicitAny: answers of the engine have many forms, and each caller reads few members of them
export type Answer = any;

interface Request {
  method: 'GET' | 'HEAD' | 'POST' | 'PUT' | 'DELETE';
  /** With its query. */
  path: string;
  /** A text is sent as lines of JSON. */
  body?: object | string | undefined;
}

/** Calls the engine. Undefined for what does not exist. */
export type Engine = (request: Request) => Promise<Answer>;

/** The headers with which a request is sent. */
export type Sign = (
  url: URL,
  request: Request & { body?: string | undefined },
  headers: Record<string, string>,
) => Promise<Record<string, string>>;

interface EngineOptions {
  /** Without a slash at its end. */
  endpoint: string;
  runtime: Runtime;
  /** Absent for an engine that asks for no signatures. */
  sign?: Sign | undefined;
  /** The longest that a call may take, in milliseconds. */
  callMs?: number;
}

/** API Gateway waits for 29 seconds. */
const CALL_MS = 25_000;

const bodyOf = (body: Request['body']): { text?: string; headers: Record<string, string> } => {
  if (body === undefined) return { headers: {} };
  const isLines = typeof body === 'string';
  return {
    text: isLines ? body : JSON.stringify(body),
    headers: { 'content-type': isLines ? 'application/x-ndjson' : 'application/json' },
  };
};

/** Whether trying again may help: the engine is throttled, away, or starting. */
const mayPass = (status: number): boolean => status === 429 || status >= 500;

/** @throws {ServiceError} 503 where the engine is away, throttled or too slow, 500 for what it refuses */
async function answerOf(path: string, response: Response): Promise<Answer> {
  if (response.status === 404) return undefined;
  const text = await response.text();
  if (response.ok) return text === '' ? {} : JSON.parse(text);
  // Its reason may quote what users have.
  const type = /"type":"(\w+)"/.exec(text)?.[1] ?? 'no type';
  const message = `The index answered ${path.replace(/\?.*/, '')} with ${response.status} (${type})`;
  throw mayPass(response.status) ? unavailable(message) : fault(message);
}

export function createEngine({ endpoint, runtime, sign, callMs = CALL_MS }: EngineOptions): Engine {
  return async ({ method, path, body }) => {
    ensureTime(runtime);
    const url = new URL(endpoint + path);
    const { text, headers } = bodyOf(body);
    const sent = sign ? await sign(url, { method, path, body: text }, headers) : headers;
    const signal = AbortSignal.timeout(Math.min(callMs, timeLeft(runtime)));
    try {
      const response = await fetch(url, { method, headers: sent, signal, ...(text !== undefined && { body: text }) });
      return await answerOf(path, response);
    } catch (error) {
      if (error instanceof Error && error.name === 'ServiceError') throw error;
      throw unavailable('The index did not answer', error);
    }
  };
}
