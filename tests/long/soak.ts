/**
 * `npm run soak [-- --minutes 10 --rate 20 --seconds 5 --users 1000]`: puts load on the local service, then a constant rate for
 * minutes. The exit code is 1 where an answer is not 2xx, the rate is not kept, or something grows. Reads /proc: Linux only.
 */
import { spawnSync } from 'node:child_process';
import { setInterval, setTimeout } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { SingleBar } from 'cli-progress';
import { table } from '../../bench/markdown.ts';
import { useLocalCredentials } from '../../lib/tooling/local/environment.ts';
import { journalLength } from '../../lib/tooling/moving/journalWatch.ts';
import { type LocalService, startService } from '../support/service.ts';
import { growthOf, type Limit } from './soak/growth.ts';
import { type Figures, run, runWarm } from './soak/load.ts';
import { type Kind, kinds, rounds } from './soak/requests.ts';
import { HEAP_ON_SIGNAL, type Sample, takeSample } from './soak/samples.ts';
import { startEcho } from './soak/startEcho.ts';

const LOAD_CONNECTIONS = 10;
/** Each asks its share of a second one after another: with fewer, a slow answer costs some of the rate. */
const SOAK_CONNECTIONS = 4;
const SAMPLE_MS = 10_000;
const FOLD_TIMEOUT_S = 120;
/** Of the rate asked for: less means that the service, or the machine, was too slow for it. */
const KEPT = 0.9;

/** The names are those of the table that is printed. */
const LIMITS: Record<keyof Sample, Limit & { name: string }> = {
  heap: { name: 'heap after a collection, MB', factor: 1.05, slack: 1 },
  resident: { name: 'resident memory, MB', factor: 1.2, slack: 0 },
  sockets: { name: 'open sockets', factor: 1, slack: 4 },
  journal: { name: 'longest journal in 10 s, entries', factor: 1.5, slack: 20 },
  items: { name: 'items in the tables', factor: 1, slack: 100 },
};

const { values } = parseArgs({
  options: {
    minutes: { type: 'string', default: '10' },
    rate: { type: 'string', default: '20' },
    seconds: { type: 'string', default: '5' },
    users: { type: 'string', default: '1000' },
  },
});
const [minutes, rate, seconds] = [Number(values.minutes), Number(values.rate), Number(values.seconds)];

const bar = new SingleBar({ format: '{bar} {value}/{total} s, {part}', noTTYOutput: true, notTTYSchedule: 10_000 });
const failures: string[] = [];

const note = (part: string, found: readonly string[]): void => {
  failures.push(...found.map((failure) => `${part}: ${failure}`));
};

/** One of the project's own commands, for the service on the port. */
function command(port: number, file: string, ...options: string[]): void {
  const program = ['node_modules/tsx/dist/cli.mjs', file, ...options];
  const { status, stdout, stderr } = spawnSync(process.execPath, program, {
    env: { ...process.env, PORT: String(port) },
    encoding: 'utf8',
  });
  if (status !== 0) note(file, [`${stdout}${stderr}`]);
}

async function untilFolded(url: string): Promise<void> {
  for (let waited = 0; waited < FOLD_TIMEOUT_S; waited++) {
    const { headers } = await fetch(`${url}/api/users?size=1`);
    if (journalLength(headers) === 0) return;
    await setTimeout(1_000);
  }
  throw new Error(`The journal was not folded within ${FOLD_TIMEOUT_S} s`);
}

async function someIds(url: string): Promise<number[]> {
  const response = await fetch(`${url}/api/users?size=100`);
  const { content } = (await response.json()) as { content: { id: number }[] };
  return content.map(({ id }) => id);
}

const compared = (name: string, service: Figures, echo: Figures): string[] => [
  name,
  service.perSecond.toFixed(0),
  `1/${(echo.perSecond / service.perSecond).toFixed(1)}`,
  service.p99Ms.toFixed(1),
  `${(service.p99Ms / echo.p99Ms).toFixed(1)} ×`,
];

/** The echo is asked the same right before, so that a change in the machine's speed meets both. */
async function loadOne(url: string, echoUrl: string, { name, requests }: Kind): Promise<string[]> {
  bar.update({ part: name });
  const load = { requests, seconds, connections: LOAD_CONNECTIONS };
  const echo = await runWarm({ ...load, url: echoUrl });
  bar.increment(seconds);
  await untilFolded(url);
  const service = await runWarm({ ...load, url });
  bar.increment(seconds);
  note(`${name}, echo`, echo.failures);
  note(name, service.failures);
  return compared(name, service, echo);
}

async function load(url: string): Promise<string> {
  const echo = await startEcho();
  const rows: string[][] = [];
  try {
    for (const kind of kinds(await someIds(url))) rows.push(await loadOne(url, echo.url, kind));
  } finally {
    echo.stop();
  }
  return table(['Load', 'Requests/s', "of the echo's", 'p99, ms', "of the echo's"], rows);
}

async function sampleUntil(end: Promise<unknown>, sample: () => Promise<Sample>): Promise<Sample[]> {
  const ended = new AbortController();
  end.finally(() => ended.abort()).catch(() => {});
  const samples: Sample[] = [];
  try {
    for await (const _ of setInterval(SAMPLE_MS, undefined, { signal: ended.signal })) {
      samples.push(await sample());
      bar.increment(SAMPLE_MS / 1_000);
    }
  } catch (error) {
    if (!ended.signal.aborted) throw error;
  }
  return samples;
}

function growthRows(samples: readonly Sample[]): string[][] {
  const keys = Object.keys(LIMITS) as (keyof Sample)[];
  return keys.map((key) => {
    const { name, factor, slack } = LIMITS[key];
    const growth = growthOf(
      samples.map((sample) => sample[key]),
      LIMITS[key],
    );
    const [first, last] = [growth.first.toFixed(1), growth.last.toFixed(1)];
    if (growth.isTooMuch) note(name, [`has grown from ${first} to ${last}`]);
    return [name, first, last, `${factor} × + ${slack}`];
  });
}

async function soak(service: LocalService): Promise<string> {
  bar.update({ part: 'soak' });
  await untilFolded(service.url);
  let longest = 0;
  const requests = rounds((entries) => {
    longest = Math.max(longest, entries);
  });
  const running = run({ url: service.url, requests, rate, seconds: minutes * 60, connections: SOAK_CONNECTIONS });
  const samples = await sampleUntil(running, () => {
    const journal = longest;
    longest = 0;
    return takeSample(service, journal);
  });
  const { perSecond, p99Ms, failures: found } = await running;
  note('soak', found);
  if (perSecond < rate * KEPT) note('soak', [`${perSecond.toFixed(1)} requests a second, not ${rate}`]);
  await untilFolded(service.url);
  const head = [`Soak: ${perSecond.toFixed(1)} requests/s, p99 ${p99Ms.toFixed(0)} ms`, 'first third', 'last third'];
  return table([...head, 'limit'], growthRows(samples));
}

if (process.platform !== 'linux')
  throw new Error('The memory and the sockets of a process are read from /proc: Linux only');
useLocalCredentials();
const service = await startService(HEAP_ON_SIGNAL);
try {
  command(service.port, 'lib/tooling/local/seed.ts', '--users', values.users);
  bar.start(kinds([]).length * 2 * seconds + minutes * 60, 0, { part: 'start' });
  const tables = [await load(service.url), await soak(service)];
  bar.stop();
  command(service.port, 'lib/tooling/operations/verify.ts');
  process.stdout.write(`\n${tables.join('\n\n')}\n`);
} finally {
  bar.stop();
  await service.stop();
  for (const failure of failures) process.stderr.write(`${failure}\n`);
  if (failures.length > 0) process.exitCode = 1;
}
