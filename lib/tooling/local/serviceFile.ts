import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { TableNames } from '../../users/database.ts';
import { isRunning } from './processes.ts';

/** Where the data of a service that runs on this machine is. */
export interface RunningService {
  endpoint: string;
  region: string;
  tables: TableNames;
}

/** A service and the process that it is. */
type Announcement = RunningService & { pid: number };

const FOLDER = '.local';
const FILE = /^service-\d+\.json$/;

const fileOf = (port: number): string => join(FOLDER, `service-${port}.json`);

const read = (file: string): Announcement => JSON.parse(readFileSync(file, 'utf8'));

function forget(file: string): void {
  try {
    if (read(file).pid === process.pid) rmSync(file);
  } catch {
    // Gone already, or another one's.
  }
}

/** Lets other programs, such as the seed, find the service until this process ends. To be called once it has the port. */
export function announce(port: number, service: RunningService): void {
  mkdirSync(FOLDER, { recursive: true });
  writeFileSync(fileOf(port), JSON.stringify({ pid: process.pid, ...service }));
  process.once('exit', () => forget(fileOf(port)));
}

const isLeftOver = (file: string): boolean => {
  try {
    return !isRunning(read(file).pid);
  } catch {
    // Just being written.
    return false;
  }
};

/** Removes what services left that ended too suddenly to do it themselves. */
export function forgetEndedServices(): void {
  mkdirSync(FOLDER, { recursive: true });
  const files = readdirSync(FOLDER).filter((name) => FILE.test(name));
  for (const file of files.map((name) => join(FOLDER, name)).filter(isLeftOver)) rmSync(file, { force: true });
}

/** @throws {Error} that says how to start one where no service runs on the port */
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
