import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { optionalVariable } from '../../lib/ground/index.ts';
import type { TableNames } from '../../lib/users/database.ts';
import { isRunning } from './processes.ts';

const DEFAULT_PORT = 3000;

/** Sets dummy credentials: a local store does not check them, and the SDK must not look for a profile. */
export function useLocalCredentials(): void {
  delete process.env.AWS_PROFILE;
  process.env.AWS_ACCESS_KEY_ID ??= 'local';
  process.env.AWS_SECRET_ACCESS_KEY ??= 'local';
}

/** A folder for each process, with its bundles: a service can run while another one starts or is packaged. */
const PARENT = '.esbuild';

/** A file in the folder of a running service. */
const ANNOUNCEMENT = 'service.json';

/** A service on this machine, and its store. */
export interface RunningService {
  port: number;
  endpoint: string;
  region: string;
  tables: TableNames;
}

/** The option of a command that finds the service on this port, behind others. */
export const onPort = (port: number): string => (port === DEFAULT_PORT ? '' : ` --port ${port}`);

const folderOf = (pid: number): string => join(PARENT, String(pid));

const remove = (folder: string): void => rmSync(folder, { recursive: true, force: true });

const processIds = (): number[] =>
  existsSync(PARENT) ? readdirSync(PARENT).flatMap((name) => (/^\d+$/.test(name) ? Number(name) : [])) : [];

/** Makes the folder of this process, which is removed when the process ends. */
export function makeWorkFolder(): string {
  const folder = folderOf(process.pid);
  remove(folder);
  mkdirSync(folder, { recursive: true });
  process.once('exit', () => remove(folder));
  return folder;
}

/** Removes the folders of processes that were killed. */
export function removeLeftovers(): void {
  for (const pid of processIds()) if (!isRunning(pid)) remove(folderOf(pid));
}

/** Lets other programs, such as `npm run seed`, find the service of this process. Call it when the service has the port. */
export function announce(service: RunningService): void {
  writeFileSync(join(folderOf(process.pid), ANNOUNCEMENT), JSON.stringify(service));
}

/**
 * Finds the service on a port, and makes the SDK of this process fit its store.
 *
 * @throws {Error} that says how to start a service when none runs on the port
 */
export function useService(port = Number(optionalVariable('PORT') ?? DEFAULT_PORT)): RunningService {
  const files = processIds().flatMap((pid) => (isRunning(pid) ? join(folderOf(pid), ANNOUNCEMENT) : []));
  const services = files.filter(existsSync).map((file): RunningService => JSON.parse(readFileSync(file, 'utf8')));
  const found = services.find((service) => service.port === port);
  if (!found) {
    throw new Error(
      `No service of this folder runs on port ${port}. Start one with "npm start", or name its port with --port or in PORT.`,
    );
  }
  useLocalCredentials();
  process.env.AWS_REGION = found.region;
  return found;
}
