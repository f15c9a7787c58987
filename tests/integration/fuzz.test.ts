import { fileURLToPath } from 'node:url';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { hostileRequest } from '../support/hostile.ts';
import { type Call, caller, type LocalService } from '../support/httpService.ts';
import { AUDIENCE, startIssuer, type TestIssuer } from '../support/issuer.ts';
import { parseResponse, type RawResponse, sendRaw } from '../support/rawHttp.ts';
import { serviceOn } from '../support/service.ts';

/** `npm run fuzz` sends more. */
const REQUESTS = Number(process.env.FUZZ_REQUESTS ?? 600);
const SEED = Number(process.env.FUZZ_SEED ?? 20_261_121);
const PARALLEL = 8;
/** The service requires tokens. Requests have valid tokens, invalid ones, or none. */
const IS_PROTECTED = process.env.FUZZ_TOKENS === 'on';

const watchRealm = fileURLToPath(new URL('../support/watchRealm.cjs', import.meta.url));

let service: LocalService;
let issuer: TestIssuer | undefined;
let call: Call;
/** The header lines of different callers, who take turns. */
let callers: string[] = [];

async function tokensOf({ sign }: TestIssuer): Promise<string[]> {
  const all = 'users:read users:write users:audit';
  const tokens = await Promise.all([
    sign({ scope: all }),
    sign({ scope: all }),
    sign({ scope: 'users:read' }),
    sign({ scope: 'users:write' }),
    sign({ scope: all, exp: 1 }),
    sign({ scope: all, aud: 'others' }),
  ]);
  return ['', 'Authorization: Bearer \r\n', ...tokens.map((token) => `Authorization: Bearer ${token}\r\n`)];
}

beforeAll(async () => {
  issuer = IS_PROTECTED ? await startIssuer() : undefined;
  const env = issuer && { OIDC_ISSUER: issuer.url, OIDC_AUDIENCE: AUDIENCE };
  service = await serviceOn.http({ env: { NODE_OPTIONS: `--require ${JSON.stringify(watchRealm)}`, ...env } });
  const plain = caller(service.url);
  const authorization = issuer && `Bearer ${await issuer.sign({ scope: 'users:read users:write users:audit' })}`;
  call = (method, path, options) =>
    plain(method, path, { ...options, headers: { ...options?.headers, ...(authorization && { authorization }) } });
  callers = issuer ? await tokensOf(issuer) : [];
});

afterAll(async () => {
  await service.stop();
  await issuer?.stop();
});

/** Inserts the header line of the next caller after the first line of a request, if there is one. */
function withCaller(request: Buffer, i: number): Buffer {
  const end = request.indexOf('\r\n');
  const line = callers[i % callers.length];
  if (line === undefined || end < 0) return request;
  return Buffer.concat([request.subarray(0, end + 2), Buffer.from(line), request.subarray(end + 2)]);
}

const create = async (name: string): Promise<number> =>
  ((await call('POST', '/api/users', { json: { name } })).body as { id: number }).id;

/** Asks the service about its shared objects. First it records them. Later it names the ones that have changed. */
async function askForRealm(): Promise<string | undefined> {
  const said = () => service.output().match(/(?<=^realm: ).*/gm) ?? [];
  const before = said().length;
  service.signal('SIGUSR2');
  await expect.poll(() => said().length).toBe(before + 1);
  return said().at(-1);
}

const LEAK = /errorMessage|errorType|stackTrace|node_modules|offlineInfo|\.[cm]?[jt]s:\d|\n\s+at /;

const shapeOf = (body: object) => Object.keys(body).join();

/** What is wrong with a response, if anything is. */
function complaint({ status, headers, body }: RawResponse, isHead: boolean): string | undefined {
  if (status >= 500) return 'a 5xx';
  if (status < 400) return undefined;
  if (LEAK.test(body)) return 'a leak';
  // Bytes that are not HTTP may begin like a HEAD and still get a response with content.
  if (isHead && body === '') return undefined;
  const type = headers.get('content-type')?.split(';')[0];
  const content = JSON.parse(body);
  if (content.status !== status && content.status !== undefined) return 'another status in the body';
  const isError = type === 'application/json' && shapeOf(content) === 'status,message';
  const isProblem =
    type === 'application/problem+json' && /^type,title,status,detail(,errors)?$/.test(shapeOf(content));
  return isError || isProblem ? undefined : 'another shape of error';
}

async function check(request: Buffer): Promise<number> {
  const text = request.toString('latin1');
  try {
    const response = parseResponse(await sendRaw(service.port, request));
    const found = complaint(response, text.startsWith('HEAD '));
    if (found) throw new Error(`${found}: ${response.status} ${response.body.slice(0, 500)}`);
    return response.status;
  } catch (cause) {
    throw new Error(`${JSON.stringify(text.slice(0, 1_000))} got ${cause}`, { cause });
  }
}

async function checkAll(requests: readonly Buffer[]): Promise<Record<number, number>> {
  const statuses: Record<number, number> = {};
  const queue = requests.map(withCaller).values();
  const worker = async () => {
    for (const request of queue) {
      const status = await check(request);
      statuses[status] = (statuses[status] ?? 0) + 1;
    }
  };
  await Promise.all(Array.from({ length: PARALLEL }, worker));
  return statuses;
}

describe('hostile requests', () => {
  test(
    'get responses of the usual form, and change neither prototypes nor globals in the service',
    async () => {
      console.log(`${REQUESTS} requests, seed ${SEED} (FUZZ_REQUESTS and FUZZ_SEED change it)`);
      const [ids, removable] = [
        [await create('Ann'), await create('Ann')],
        [await create('Bea'), await create('Zoë')],
      ];
      const requests = hostileRequest(ids, removable);
      const untouched = await create('Eve');
      const before = (await call('GET', `/api/users/${untouched}`)).body;
      await checkAll(fc.sample(requests, { seed: SEED - 1, numRuns: 50 }));
      expect(await askForRealm()).toBe('noted');

      const statuses = await checkAll(fc.sample(requests, { seed: SEED, numRuns: REQUESTS }));
      console.log(statuses);

      const refusals = IS_PROTECTED ? [401, 403] : [];
      for (const status of [200, 201, 400, 404, 405, 406, 409, 412, 415, ...refusals])
        expect(statuses).toHaveProperty(String(status));
      expect(await askForRealm()).toBe('[]');
      expect((await call('GET', `/api/users/${untouched}`)).body).toEqual(before);
    },
    120_000 + REQUESTS * 20,
  );
});
