/**
 * `npm run soak [-- --minutes 10 --rate 20 --users 1000]`: sends requests to the local service at a constant rate. The exit code
 * is 1 if a response is not 2xx, the rate is not kept, or something grows. Reads /proc: Linux only.
 */
import { execFileSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { setTimeout } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { journalLength } from '../../tools/import/journalWatch.ts';
import { readInteger, readOptions, TEXT } from '../../tools/program/options.ts';
import { orEnd } from '../../tools/program/stop.ts';
import { people } from '../../tools/samples/people.ts';
import { type LocalService, startService } from '../support/httpService.ts';

const SAMPLE_MS = 10_000;
/** The share of the samples at the start that is ignored, while caches fill and the compiler runs. */
const WARM_UP = 0.2;
/** The share of the requested rate that must be kept. Below it the service or the machine was too slow. */
const KEPT = 0.9;

/** By how much the last third of the samples may exceed the first: small numbers vary by chance. */
const LIMITS = {
  'heap after a collection, MB': { factor: 1.05, slack: 1 },
  'resident memory, MB': { factor: 1.2, slack: 0 },
  'open files and sockets': { factor: 1, slack: 4 },
  'longest journal in 10 s, entries': { factor: 1.5, slack: 20 },
};

type Sample = Record<keyof typeof LIMITS, number>;

const OPTIONS = {
  minutes: { ...TEXT, default: '10' },
  rate: { ...TEXT, default: '20' },
  users: { ...TEXT, default: '1000' },
};
const USAGE = `Usage: npm run soak -- [--minutes 10] [--rate 20] [--users 1000]. Linux only
  --minutes <n>  the length of the run
  --rate <n>     requests a second
  --users <n>    users at the beginning`;
const { minutes, rate, users } = orEnd(() => {
  const given = readOptions(OPTIONS, USAGE);
  const read = (name: keyof typeof given) => readInteger(`--${name}`, given[name], 1, USAGE);
  return { minutes: read('minutes'), rate: read('rate'), users: read('users') };
});

const failures: string[] = [];
const source = people(7);
let [sent, longest] = [0, 0];

async function send(url: string, method = 'GET', body?: object): Promise<unknown> {
  const json = body && { body: JSON.stringify(body), headers: { 'content-type': 'application/json' } };
  const response = await fetch(url, { method, ...json });
  const text = await response.text();
  sent++;
  longest = Math.max(longest, journalLength(response.headers) ?? 0);
  if (!response.ok) failures.push(`${method} ${url}: ${response.status} ${text.slice(0, 200)}`);
  return text === '' ? undefined : JSON.parse(text);
}

/** Eight requests that leave the number of users as it is. Anything that grows nevertheless grows with time. */
async function round(users: string): Promise<void> {
  const { id } = (await send(users, 'POST', source.next().value)) as { id: number };
  await send(`${users}/${id}`);
  for (const query of ['', '?country=DE&sort=lastName,desc', '?keyword=ski', '?cursor=0']) await send(users + query);
  await send(`${users}/${id}`, 'PATCH', { lastName: 'Soaked', status: 'active' });
  await send(`${users}/${id}`, 'DELETE');
}
const ROUND = 8;

/** The heap in use after a garbage collection, in megabytes, as `heapOnSignal.cjs` reports it. */
async function heap({ output, signal }: LocalService): Promise<number> {
  const before = output().length;
  signal('SIGUSR2');
  for (let waited = 0; waited < 500; waited++) {
    const [, bytes] = /^heap: (\d+)$/m.exec(output().slice(before)) ?? [];
    if (bytes !== undefined) return Number(bytes) / 1e6;
    await setTimeout(20);
  }
  throw new Error('The service did not report its heap');
}

async function takeSample(service: LocalService): Promise<Sample> {
  const [, kilobytes] = /^VmRSS:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${service.pid}/status`, 'utf8')) ?? [];
  const journal = longest;
  longest = 0;
  return {
    'heap after a collection, MB': await heap(service),
    'resident memory, MB': Number(kilobytes) / 1e3,
    'open files and sockets': readdirSync(`/proc/${service.pid}/fd`).length,
    'longest journal in 10 s, entries': journal,
  };
}

const median = (numbers: readonly number[]) => numbers.toSorted((a, b) => a - b)[numbers.length >> 1] ?? Number.NaN;

function judge(samples: readonly Sample[]): void {
  const warm = samples.slice(Math.floor(samples.length * WARM_UP));
  const third = Math.floor(warm.length / 3);
  if (third < 1) throw new Error(`${samples.length} samples are too few: let it run longer`);
  for (const [name, { factor, slack }] of Object.entries(LIMITS)) {
    const all = warm.map((sample) => sample[name as keyof Sample]);
    const [first, last] = [median(all.slice(0, third)), median(all.slice(-third))];
    process.stdout.write(`${name}: ${first.toFixed(1)}, at the end ${last.toFixed(1)}\n`);
    if (!(last <= first * factor + slack)) failures.push(`${name}: has grown`);
  }
}

const heapOnSignal = JSON.stringify(fileURLToPath(new URL('./heapOnSignal.cjs', import.meta.url)));
const service = await startService({ env: { NODE_OPTIONS: `--require ${heapOnSignal}` } });
try {
  const run = (...program: string[]) =>
    execFileSync(process.execPath, program, { env: { ...process.env, PORT: String(service.port) }, stdio: 'inherit' });
  run('tools/local/seed.ts', '--users', String(users));
  const samples: Sample[] = [];
  const start = Date.now();
  const under: Promise<void>[] = [];
  const rounds = Math.ceil((minutes * 60 * rate) / ROUND);
  for (let n = 0; n < rounds; n++) {
    await setTimeout(start + (n * ROUND * 1_000) / rate - Date.now());
    under.push(round(`${service.url}/api/users`).catch((error: unknown) => void failures.push(String(error))));
    if (Date.now() - start > (samples.length + 1) * SAMPLE_MS) samples.push(await takeSample(service));
  }
  await Promise.all(under);
  const perSecond = (sent * 1_000) / (Date.now() - start);
  process.stdout.write(`${perSecond.toFixed(1)} requests per second\n`);
  if (perSecond < rate * KEPT) failures.push(`${perSecond.toFixed(1)} requests per second, not ${rate}`);
  judge(samples);
  run('tools/operate/verify.ts');
} finally {
  await service.stop();
  for (const failure of failures.slice(0, 20)) process.stderr.write(`${failure}\n`);
  if (failures.length > 0) process.exitCode = 1;
}
