import { fileURLToPath } from 'node:url';
import fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { inParallel } from '../../lib/parallel.ts';
import { hostileRequest } from '../support/hostile.ts';
import { caller, createOver, type LocalService } from '../support/httpService.ts';
import { AUDIENCE, startIssuer, type TestIssuer } from '../support/issuer.ts';
import { parseResponse, type RawResponse, sendRaw } from '../support/rawHttp.ts';
import { serviceOn } from '../support/service.ts';

/** `npm run fuzz` sends more. */
const REQUESTS = Number(process.env.FUZZ_REQUESTS ?? 600);
const SEED = Number(process.env.FUZZ_SEED ?? 20_261_121);
const PARALLEL = 8;

const SCOPES = 'users:read users:write users:audit';

const watchRealm = fileURLToPath(new URL('../support/watchRealm.cjs', import.meta.url));

/** The service requires tokens if there is an issuer. Requests have valid tokens, invalid ones, or none. */
let issuer: TestIssuer | undefined;
let service: LocalService;

beforeAll(async () => {
  issuer = process.env.FUZZ_TOKENS === 'on' ? await startIssuer() : undefined;
  const env = issuer && { OIDC_ISSUER: issuer.url, OIDC_AUDIENCE: AUDIENCE };
  service = await serviceOn.http({ env: { NODE_OPTIONS: `--require ${JSON.stringify(watchRealm)}`, ...env } });
});

afterAll(async () => {
  await service.stop();
  await issuer?.stop();
});

/** The header lines of callers, who take turns. */
async function callersOf({ sign }: TestIssuer): Promise<string[]> {
  const claims = [
    ...[SCOPES, SCOPES, 'users:read', 'users:write'].map((scope) => ({ scope })),
    { scope: SCOPES, exp: 1 },
    { scope: SCOPES, aud: 'others' },
  ];
  const tokens = await Promise.all(claims.map((each) => sign(each)));
  return ['', ...['', ...tokens].map((token) => `Authorization: Bearer ${token}\r\n`)];
}

/** Inserts the header line of a caller after the first line of a request, if there is one. */
function withCaller(request: Buffer, line: string): Buffer {
  const end = request.indexOf('\r\n') + 2;
  return end < 2 ? request : Buffer.concat([request.subarray(0, end), Buffer.from(line), request.subarray(end)]);
}

/** Asks the service about its shared objects. First it records them. Later it names the ones that have changed. */
async function askForRealm(): Promise<string | undefined> {
  const said = () => service.output().match(/(?<=^realm: ).*/gm) ?? [];
  const before = said().length;
  service.signal('SIGUSR2');
  await expect.poll(() => said().length).toBe(before + 1);
  return said().at(-1);
}

const LEAK = /errorMessage|errorType|stackTrace|node_modules|offlineInfo|\.[cm]?[jt]s:\d|\n\s+at /;

const SHAPES: Record<string, RegExp> = {
  'application/json': /^status,message$/,
  'application/problem+json': /^type,title,status,detail(,errors)?$/,
};

/** What is wrong with a response, if anything is. */
function complaint({ status, headers, body }: RawResponse, isHead: boolean): string | undefined {
  if (status >= 500) return 'a 5xx';
  // Bytes that are not HTTP may begin like a HEAD and still get a response with content.
  if (status < 400 || (isHead && body === '')) return undefined;
  if (LEAK.test(body)) return 'a leak';
  const content = JSON.parse(body);
  if (content.status !== status) return 'another status in the body';
  const shape = SHAPES[headers.get('content-type')?.split(';')[0] ?? ''];
  return shape?.test(Object.keys(content).join()) ? undefined : 'another shape of error';
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

test(
  'hostile requests get responses of the usual form, and change neither prototypes nor globals in the service',
  async () => {
    console.log(`${REQUESTS} requests, seed ${SEED} (FUZZ_REQUESTS and FUZZ_SEED change it)`);
    const callers = issuer ? await callersOf(issuer) : [''];
    const headers = issuer && { authorization: `Bearer ${await issuer.sign({ scope: SCOPES })}` };
    const call: ReturnType<typeof caller> = (method, path, options) =>
      caller(service.url)(method, path, { ...options, ...(headers && { headers }) });
    const ids: number[] = [];
    for (const name of ['Eve', 'Ann', 'Ann', 'Bea', 'Zoë']) ids.push((await createOver(call)({ name })).id);
    const untouched = `/api/users/${ids[0]}`;
    const before = (await call('GET', untouched)).body;
    const requests = hostileRequest(ids.slice(1, 3), ids.slice(3));
    const statuses = new Map<number, number>();
    const checkAll = async (seed: number, numRuns: number) => {
      const all = fc.sample(requests, { seed, numRuns });
      await inParallel(all, PARALLEL, async (request, i) => {
        const status = await check(withCaller(request, callers[i % callers.length] ?? ''));
        statuses.set(status, (statuses.get(status) ?? 0) + 1);
      });
    };

    await checkAll(SEED - 1, 50);
    expect(await askForRealm()).toBe('noted');
    await checkAll(SEED, REQUESTS);
    console.log(Object.fromEntries(statuses));
    const refusals = issuer ? [401, 403] : [];
    const expected = [200, 201, 400, 404, 405, 406, 409, 412, 415, ...refusals];
    expect([...statuses.keys()]).toEqual(expect.arrayContaining(expected));
    expect(await askForRealm()).toBe('[]');
    expect((await call('GET', untouched)).body).toEqual(before);
  },
  120_000 + REQUESTS * 20,
);
