import { readFileSync } from 'node:fs';
import { pathToFileURL } from 'node:url';
import type { Door, Settings } from '../../doors/door.ts';
import { serve } from '../../doors/serve.ts';
import { readPort, readUrl } from '../program/options.ts';
import { Stop } from '../program/stop.ts';
import { findToken } from '../program/token.ts';
import type { DoorFolder } from './doors.ts';
import { type DoorOptions, USAGE } from './options.ts';
import { installPackages } from './packages.ts';
import { startTables } from './tables.ts';

const DEFAULT_PORT = 3001;

/** Serves a door on this machine until a signal ends it. */
export async function startDoor(door: DoorFolder, { url: given, port, token = '' }: DoorOptions): Promise<number> {
  if (!door.isCoded)
    throw new Stop(`Door ${door.name} is a template, and nothing to start: doors/${door.name}/README.md`);
  const hasToken = readFileSync(door.file('serverless.yml'), 'utf8').includes('${param:secret}');
  if (hasToken && token.trim() === '')
    throw new Stop(`--token is missing: callers of door ${door.name} present it, and without one it would refuse all`);
  const url = readUrl(given, USAGE);
  installPackages(door);
  const { default: handler }: { default: Door } = await import(pathToFileURL(door.file('door.ts')).href);
  const serviceToken = await findToken();
  const { tables, stop: stopTables } = await startTables(door);
  const settings: Settings = {
    ...{ ...process.env, ...tables, url, token },
    ...(serviceToken !== undefined && { serviceToken }),
  };
  const { url: address, stop } = await serve(handler, async () => settings, readPort(port, USAGE) ?? DEFAULT_PORT);
  process.stdout.write(`Door ${door.name} is at ${address}, and asks ${url}. Ctrl-C ends it.\n`);
  await new Promise((resolve) => {
    for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, resolve);
  });
  await stop();
  await stopTables();
  return 0;
}
