/**
 * `npm run soak [-- --minutes 10 --rate 20 --seconds 5 --users 1000]`: puts load on the local service, then a constant rate for
 * minutes. The exit code is 1 if a response is not 2xx, the rate is not kept, or something grows. Reads /proc: Linux only.
 */
import { setInterval } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { SingleBar } from 'cli-progress';
import { table } from '../../bench/markdown.ts';
import { useLocalCredentials } from '../../tools/local/environment.ts';
import { type LocalService, startService } from '../support/httpService.ts';
import { startEcho } from './soak/echo.ts';
import { judge } from './soak/growth.ts';
import { type Figures, run, runWarm } from './soak/load.ts';
import { type Kind, kinds, rounds } from './soak/requests.ts';
import { command, someIds, untilFolded } from './soak/running.ts';
import { HEAP_ON_SIGNAL, type Sample, takeSample } from './soak/samples.ts';

const LOAD_CONNECTIONS = 10;
/** A connection sends its share of the rate, one request after another. If it were more, a slow response would lower the rate. */
const RATE_PER_CONNECTION = 5;
const SAMPLE_MS = 10_000;
/** The share of the requested rate that must be kept. Below it the service or the machine was too slow. */
const KEPT = 0.9;

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

const compared = (name: string, service: Figures, echo: Figures): string[] => [
  name,
  service.perSecond.toFixed(0),
  `1/${(echo.perSecond / service.perSecond).toFixed(1)}`,
  service.p99Ms.toFixed(1),
  `${(service.p99Ms / echo.p99Ms).toFixed(1)} ×`,
];

/** The echo gets the same requests right before, so that both meet the machine at the same speed. */
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

async function soak(service: LocalService): Promise<string> {
  bar.update({ part: 'soak' });
  await untilFolded(service.url);
  let longest = 0;
  const requests = rounds((entries) => {
    longest = Math.max(longest, entries);
  });
  const running = run({
    url: service.url,
    requests,
    rate,
    seconds: minutes * 60,
    connections: Math.ceil(rate / RATE_PER_CONNECTION),
  });
  const samples = await sampleUntil(running, () => {
    const journal = longest;
    longest = 0;
    return takeSample(service, journal);
  });
  const { perSecond, p99Ms, failures: found } = await running;
  note('soak', found);
  if (perSecond < rate * KEPT) note('soak', [`${perSecond.toFixed(1)} requests per second, not ${rate}`]);
  await untilFolded(service.url);
  const head = [`Soak: ${perSecond.toFixed(1)} requests/s, p99 ${p99Ms.toFixed(0)} ms`, 'first third', 'last third'];
  const { rows, failures: grown } = judge(samples);
  failures.push(...grown);
  return table([...head, 'limit'], rows);
}

if (process.platform !== 'linux')
  throw new Error('The memory and the sockets of a process are read from /proc: Linux only');
useLocalCredentials();
const service = await startService(HEAP_ON_SIGNAL);
try {
  note('seed', command(service.port, 'tools/local/seed.ts', '--users', values.users));
  bar.start(kinds([]).length * 2 * seconds + minutes * 60, 0, { part: 'start' });
  const tables = [await load(service.url), await soak(service)];
  bar.stop();
  note('verify', command(service.port, 'tools/operate/verify.ts'));
  process.stdout.write(`\n${tables.join('\n\n')}\n`);
} finally {
  bar.stop();
  await service.stop();
  for (const failure of failures) process.stderr.write(`${failure}\n`);
  if (failures.length > 0) process.exitCode = 1;
}
