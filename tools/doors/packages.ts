import { execFileSync } from 'node:child_process';
import { existsSync, statSync } from 'node:fs';
import { platform } from 'node:os';
import { say } from '../program/stop.ts';
import type { DoorFolder } from './doors.ts';

/** Milliseconds since 1970, 0 if there is no such file. */
const writtenAt = (file: string): number => (existsSync(file) ? statSync(file).mtimeMs : 0);

/** Installs the packages that a door has of its own, unless that was done since its lock file was written. */
export function installPackages({ name, file }: DoorFolder): void {
  if (writtenAt(file('node_modules/.package-lock.json')) >= writtenAt(file('package-lock.json'))) return;
  say(`Door ${name} has packages of its own, which are installed now.`);
  const options = ['ci', '--prefix', file('.'), '--ignore-scripts', '--no-audit', '--no-fund'];
  execFileSync('npm', options, { stdio: ['ignore', 'ignore', 'inherit'], shell: platform() === 'win32' });
}
