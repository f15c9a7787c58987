import { setTimeout } from 'node:timers/promises';
import { pathToFileURL } from 'node:url';
import type { Door, Follower, Memory, Settings } from '../../doors/door.ts';
import { serve } from '../../doors/serve.ts';
import { readPort, readUrl } from '../program/options.ts';
import { reasonOf, Stop, say } from '../program/stop.ts';
import { findToken } from '../program/token.ts';
import type { DoorFolder } from './doors.ts';
import { addressIn, type DoorOptions, USAGE } from './options.ts';
import { installPackages } from './packages.ts';
import { startTables } from './tables.ts';

const DEFAULT_PORT = 3001;

/** Between two looks of a follower at the feed, in milliseconds. */
const PAUSE_MS = 1_000;

const tell = (sentence: string) => process.stdout.write(`${sentence}\n`);

/** Aborts at the first signal that ends the program. */
function untilSignal(): AbortSignal {
  const end = new AbortController();
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => end.abort());
  return end.signal;
}

async function serveHere(folder: DoorFolder, door: Door, own: Settings, port: number): Promise<void> {
  const { tables, stop: stopTables } = await startTables(folder);
  const settings: Settings = { ...own, ...tables };
  const { url, stop } = await serve(door, async () => settings, port);
  tell(`Door ${folder.name} is at ${url}, and asks ${settings.url}. Ctrl-C ends it.`);
  const ended = untilSignal();
  await new Promise((resolve) => ended.addEventListener('abort', resolve));
  await stop();
  await stopTables();
}

/** Lets a follower run again and again, with a memory that ends with it. A failure that lasts is told once. */
async function followHere(name: string, door: Follower, settings: Settings): Promise<void> {
  const run = door.follow(settings);
  tell(`Door ${name} asks ${settings.url}, and sends changes to ${settings.TO}. Ctrl-C ends it.`);
  const ended = untilSignal();
  const memory: Memory = {
    last: undefined,
    async keep(state) {
      memory.last = state;
    },
  };
  let told = '';
  while (!ended.aborted) {
    const failure = await run(memory, () => !ended.aborted).then(() => '', reasonOf);
    if (failure !== told && failure !== '') say(failure);
    told = failure;
    await setTimeout(PAUSE_MS, undefined, { signal: ended }).catch(() => {});
  }
}

/** A secret that is made here is told, because the receiver needs it. */
function makeSecret({ newSecret }: Follower): string {
  const secret = newSecret();
  tell(`The signing secret: ${secret}`);
  return secret;
}

/** Runs a door on this machine until a signal ends it. */
export async function startDoor(door: DoorFolder, options: DoorOptions): Promise<number> {
  const { name, isCoded, isFollower, takes, file } = door;
  if (!isCoded) throw new Stop(`Door ${name} is a template, and nothing to start: doors/${name}/README.md`);
  const to = addressIn(door, options);
  const { token = '' } = options;
  if (takes('secret') && !isFollower && token.trim() === '')
    throw new Stop(`--token is missing: callers of door ${name} present it, and without one it would refuse all`);
  const url = readUrl(options.url, USAGE);
  installPackages(door);
  const { default: made }: { default: Door & Follower } = await import(pathToFileURL(file('door.ts')).href);
  const serviceToken = await findToken();
  const settings: Settings = { ...process.env, url, token, ...(serviceToken !== undefined && { serviceToken }) };
  if (isFollower) await followHere(name, made, { ...settings, TO: to, token: options.secret ?? makeSecret(made) });
  else await serveHere(door, made, settings, readPort(options.port, USAGE) ?? DEFAULT_PORT);
  return 0;
}
