import type { Settings } from '../door.ts';
import { ScimError } from './answers.ts';

/** A user as the API has it. */
export interface User {
  id: number;
  name: string;
  createdAt: string;
  updatedAt?: string;
  attributes?: Record<string, unknown>;
  [field: string]: unknown;
}

export type Parameters = (readonly [name: string, value: string])[];

interface Call {
  method?: string;
  path: string;
  parameters?: Parameters;
  json?: object;
  headers?: Record<string, string>;
}

export interface Answer<Body> {
  status: number;
  headers: Headers;
  body: Body;
}

/** Each of two attempts. Lambda gives the door 29 seconds for what may be several calls. */
const TIMEOUT_MS = 8_000;
/** The seconds after which a caller may try again, unless the service says it. */
const AWAY_S = '10';

/** The codes of the API's refusals that SCIM has a word for. */
const SCIM_TYPES: Record<string, string> = {
  'email-taken': 'uniqueness',
  'external-id-taken': 'uniqueness',
  validation: 'invalidValue',
};

const failed = (status: number, detail: string, after: string | null = null) =>
  new ScimError(status, detail, undefined, { 'retry-after': after ?? AWAY_S });

/** Sends a request once more if its answer was lost: each can be repeated, as it has a condition or a key. */
async function send(url: URL, init: RequestInit): Promise<Response> {
  for (let attempt = 1; ; attempt++) {
    const response = await fetch(url, { ...init, redirect: 'manual', signal: AbortSignal.timeout(TIMEOUT_MS) }).catch(
      (error) => {
        if (attempt === 2) console.error(error);
      },
    );
    if (response && (response.status < 502 || attempt === 2)) return response;
    if (attempt === 2) throw failed(503, 'The service does not answer');
    await response?.body?.cancel();
  }
}

/** A body that is no JSON is that of something before the service. */
function parsed(text: string) {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function failure(status: number, { type, detail, message }: Record<string, unknown>, after: string | null): ScimError {
  const said = String(detail ?? message ?? `The service answered with ${status}`);
  // The caller's token is right. With a 401 it would be replaced.
  if (status === 401 || status === 403) console.error(`The service refuses the token of the door: ${said}`);
  if (status === 429 || status === 503) return failed(status, said, after);
  if (status < 400 || status === 401 || status === 403 || status >= 500 || type === undefined)
    return failed(502, `The service answered with ${status}`);
  return new ScimError(status, said, SCIM_TYPES[String(type).replace('urn:problem:', '')]);
}

/** Calls of the API, as the door. They throw a `ScimError` for each answer of 400 or more. */
export function serviceOf({ url, serviceToken }: Settings) {
  return async <Body>({ method = 'GET', path, parameters = [], json, headers = {} }: Call): Promise<Answer<Body>> => {
    const to = new URL(`${url}/api/users${path}`);
    for (const [name, value] of parameters) to.searchParams.append(name, value);
    const response = await send(to, {
      method,
      headers: {
        accept: 'application/json, application/problem+json',
        ...(serviceToken && { authorization: `Bearer ${serviceToken}` }),
        ...(json && { 'content-type': method === 'PATCH' ? 'application/merge-patch+json' : 'application/json' }),
        ...headers,
      },
      ...(json && { body: JSON.stringify(json) }),
    });
    const { status } = response;
    const body = parsed(await response.text());
    if (status >= 300 && status !== 304) throw failure(status, Object(body), response.headers.get('retry-after'));
    return { status, headers: response.headers, body };
  };
}

export type Service = ReturnType<typeof serviceOf>;
