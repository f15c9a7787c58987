import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import type { TableNames } from '../users/database.ts';

/** Where the data of a service that runs on this machine is. */
export interface RunningService {
  endpoint: string;
  region: string;
  tables: TableNames;
}

const fileOf = (port: number): string => `.local/service-${port}.json`;

/** Lets other programs, such as the seed, find the service until this process ends. */
export function announce(port: number, service: RunningService): void {
  mkdirSync(dirname(fileOf(port)), { recursive: true });
  writeFileSync(fileOf(port), JSON.stringify(service));
  process.once('exit', () => rmSync(fileOf(port), { force: true }));
}

/** @throws {Error} that says how to start one where no service runs on the port */
export function findService(port: number): RunningService {
  try {
    return JSON.parse(readFileSync(fileOf(port), 'utf8'));
  } catch (cause) {
    throw new Error(`No service runs on port ${port}. Start one with "npm start", or name its port in PORT.`, {
      cause,
    });
  }
}
