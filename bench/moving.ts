/**
 * `npm run bench:moving` measures how long an import takes, compared with bare parallel POSTs of the same users to the same local
 * service, or with `--keep-ids` with bare PUTs. Then it measures the memory of import and export at several sizes.
 * `-- --users 500 --rounds 2` is quicker, and `--rounds 0` measures only the memory.
 */
import { spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { toCsv } from '../lib/http/response/csv.ts';
import { inParallel } from '../lib/parallel.ts';
import { people } from '../lib/tooling/local/people.ts';
import { journalLength } from '../lib/tooling/moving/journalWatch.ts';
import type { UserFields } from '../lib/users/user.ts';
import { startService } from '../tests/support/httpService.ts';
import { close, listen } from '../tests/support/loopback.ts';

const PARALLEL = 16;
const SIZES = [1_000, 10_000, 100_000];
const HEAD = 'id,name,email,age,firstName,lastName,createdAt,status,country\r\n';
const folder = mkdtempSync(join(tmpdir(), 'moving-'));
const source = people(1);

const draw = (count: number): UserFields[] => Array.from({ length: count }, () => source.next().value);

const csvOf = (users: readonly UserFields[], firstId = 1): string =>
  HEAD +
  toCsv(
    users.map((user, index) => ({ ...user, id: firstId + index, version: 1 })),
    { header: false },
  );

interface Peaks {
  /** The peak of the heap after garbage collection. */
  heapMb: number;
  /** The peak of the resident memory, which includes garbage, code, and Node itself. */
  residentMb: number;
}

/** Loaded before a command. Writes the peaks to a file at the end. SAMPLE makes it measure twice a second, which takes time. */
const REPORT = `data:text/javascript,${encodeURIComponent(`
  import { writeFileSync } from 'node:fs';
  let heap = 0;
  const sample = () => { gc(); heap = Math.max(heap, process.memoryUsage().heapUsed); };
  if (process.env.SAMPLE) setInterval(sample, 500).unref();
  process.on('exit', () => {
    sample();
    const residentMb = process.resourceUsage().maxRSS / 1024;
    writeFileSync(process.env.PEAKS, JSON.stringify({ heapMb: heap / 1048576, residentMb }));
  });
`)}`;

/** Runs a command to its end. */
async function run(
  command: string,
  options: readonly string[],
  env: Record<string, string> = {},
): Promise<Peaks & { seconds: number; own: number }> {
  const peaks = join(folder, 'peaks.json');
  const start = performance.now();
  const flags = ['--expose-gc', '--import', REPORT];
  const child = spawn(process.execPath, [...flags, `lib/tooling/moving/${command}.ts`, ...options], {
    env: { ...process.env, PEAKS: peaks, ...env },
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  let output = '';
  child.stdout.on('data', (chunk) => (output = (output + chunk).slice(-1_000)));
  const code = await new Promise((resolve) => child.once('close', resolve));
  if (code !== 0) throw new Error(`${command} ended with ${code}`);
  const seconds = (performance.now() - start) / 1_000;
  // An import prints how long it took after its start.
  const own = Number(/ ([\d.]+) s, /.exec(output)?.[1]);
  return { seconds, own, ...JSON.parse(readFileSync(peaks, 'utf8')) };
}

type Send = (url: string, user: UserFields, index: number) => Promise<Response>;

const HEADERS = { 'content-type': 'application/json' };

const post: Send = (url, user) =>
  fetch(`${url}/api/users`, { method: 'POST', headers: HEADERS, body: JSON.stringify(user) });

const putFrom =
  (firstId: number): Send =>
  (url, user, index) => {
    const headers = { ...HEADERS, 'if-none-match': '*' };
    return fetch(`${url}/api/users/${firstId + index}`, { method: 'PUT', headers, body: JSON.stringify(user) });
  };

async function sendAll(url: string, users: readonly UserFields[], send: Send): Promise<number> {
  const start = performance.now();
  await inParallel(users, PARALLEL, async (user, index) => {
    const response = await send(url, user, index);
    await response.text();
    if (response.status !== 201) throw new Error(`A user was answered ${response.status}`);
  });
  return (performance.now() - start) / 1_000;
}

/** Waits until everything is folded, so that one measurement does not slow the next one. */
async function rest(url: string): Promise<void> {
  for (;;) {
    const { headers } = await fetch(`${url}/api/users?size=1`);
    if (journalLength(headers) === 0) return;
    await setTimeout(500);
  }
}

/** Both take turns, and each begins every other round, so that a slow minute of the machine meets both. */
async function measureTime(count: number, rounds: number, keepsIds: boolean): Promise<void> {
  const service = await startService();
  console.log(
    `| Round | Bare ${keepsIds ? 'PUTs' : 'POSTs'}, s | Import, s | Ratio | After its start, s | Ratio |\n|--:|--:|--:|--:|--:|--:|`,
  );
  const ratios: number[] = [];
  for (let round = 1; round <= rounds; round++) {
    const users = draw(count);
    const firstId = 1 + 2 * count * round;
    const file = join(folder, `users-${round}.csv`);
    writeFileSync(file, csvOf(users, firstId));
    const options = ['--url', service.url, '--file', file, '--parallel', String(PARALLEL)];
    const send = () => run('import', keepsIds ? [...options, '--keep-ids'] : options);
    await rest(service.url);
    const first = round % 2 === 0 ? await send() : undefined;
    await rest(service.url);
    const bare = await sendAll(service.url, users, keepsIds ? putFrom(firstId + count) : post);
    if (!first) await rest(service.url);
    const { seconds, own } = first ?? (await send());
    ratios.push(seconds / bare);
    const cells = [bare.toFixed(1), ...[seconds, own].flatMap((each) => [each.toFixed(1), (each / bare).toFixed(2)])];
    console.log(`| ${round} | ${cells.join(' | ')} |`);
  }
  ratios.sort((a, b) => a - b);
  const what = keepsIds ? ' with their ids' : '';
  console.log(
    `\n${count} users${what} a round; median ${ratios[ratios.length >> 1]?.toFixed(2)} ×, the start of the process included\n`,
  );
  await service.stop();
}

/** Stands for a service that accepts every user and exports `csv`: the memory of a command does not depend on the service. */
const standIn = (csv: string, count: number) =>
  createServer(async (request, response) => {
    for await (const _ of request);
    response.setHeader('server-timing', 'journal;desc="0"');
    const { method, url = '' } = request;
    if (method === 'POST' || method === 'PUT')
      response.writeHead(201, { 'content-type': 'application/json' }).end('{"id":1}');
    else if (url.includes('/api/users/all')) response.writeHead(200, { 'x-total-count': count }).end(csv);
    else response.setHeader('content-type', 'application/json').end('{"content":[]}');
  });

async function measureMemory(): Promise<void> {
  console.log('| Users | Import: heap, MB | resident | Export: heap, MB | resident |');
  console.log('|--:|--:|--:|--:|--:|');
  for (const size of SIZES) {
    const csv = csvOf(draw(size));
    const file = join(folder, `users-${size}.csv`);
    writeFileSync(file, csv);
    const server = standIn(csv, size);
    const url = await listen(server);
    const sampled = { SAMPLE: 'yes' };
    const imported = await run('import', ['--url', url, '--file', file], sampled);
    const exported = await run('export', ['--url', url, '--format', 'ndjson'], sampled);
    await close(server);
    const cells = [imported, exported].flatMap(({ heapMb, residentMb }) => [heapMb, residentMb]);
    console.log(`| ${size.toLocaleString('en-US')} | ${cells.map((cell) => cell.toFixed(0)).join(' | ')} |`);
  }
}

async function main(): Promise<void> {
  const { values } = parseArgs({
    options: { users: { type: 'string' }, rounds: { type: 'string' }, 'keep-ids': { type: 'boolean' } },
  });
  const rounds = Number(values.rounds ?? 5);
  try {
    for (const keepsIds of values['keep-ids'] ? [true] : [false, true])
      if (rounds > 0) await measureTime(Number(values.users ?? 1_000), rounds, keepsIds);
    await measureMemory();
  } finally {
    rmSync(folder, { recursive: true });
  }
}

await main();
