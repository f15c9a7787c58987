import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { TableNames } from '../../lib/users/database.ts';
import { isRunning } from './processes.ts';

/** The store of a service on this machine. */
export interface RunningService {
  endpoint: string;
  region: string;
  tables: TableNames;
}

/** A service and its process. */
type Announcement = RunningService & { pid: number };

const FOLDER = '.local';
const FILE = /^service-\d+\.json$/;

const fileOf = (port: number): string => join(FOLDER, `service-${port}.json`);

const read = (file: string): Announcement => JSON.parse(readFileSync(file, 'utf8'));

function forget(file: string): void {
  try {
    if (read(file).pid === process.pid) rmSync(file);
  } catch {
    // The file has been removed already, or another service has replaced it.
  }
}

/** Lets other programs, such as `npm run seed`, find the service until this process ends. Call it when the service has the port. */
export function announce(port: number, service: RunningService): void {
  mkdirSync(FOLDER, { recursive: true });
  writeFileSync(fileOf(port), JSON.stringify({ pid: process.pid, ...service }));
  process.once('exit', () => forget(fileOf(port)));
}

const isLeftOver = (file: string): boolean => {
  try {
    return !isRunning(read(file).pid);
  } catch {
    // The file is just being written.
    return false;
  }
};

/** Removes the files of services that were killed. */
export function forgetEndedServices(): void {
  mkdirSync(FOLDER, { recursive: true });
  const files = readdirSync(FOLDER).filter((name) => FILE.test(name));
  for (const file of files.map((name) => join(FOLDER, name)).filter(isLeftOver)) rmSync(file, { force: true });
}

/** @throws {Error} that says how to start a service when none runs on the port */
export function findService(port: number): RunningService {
  try {
    const { pid, ...service } = read(fileOf(port));
    if (isRunning(pid)) return service;
    throw new Error(`Process ${pid} has ended`);
  } catch (cause) {
    throw new Error(`No service runs on port ${port}. Start one with "npm start", or name its port in PORT.`, {
      cause,
    });
  }
}
