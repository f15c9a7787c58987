import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Stop } from '../program/stop.ts';

const ROOT = join(import.meta.dirname, '../..');

/** A door: a folder of doors/. */
export interface DoorFolder {
  name: string;
  /** A door with code of its own is started and packaged. Others are a template, which CloudFormation takes as it is. */
  isCoded: boolean;
  /** Whether its serverless.yml takes a parameter, such as `secret`. */
  takes: (parameter: string) => boolean;
  /** A door that nobody calls: it sends to an address. */
  isFollower: boolean;
  /** The path of one of its files. */
  file: (name: string) => string;
}

const doorIn = (name: string): DoorFolder => {
  const file = (inner: string) => join(ROOT, 'doors', name, inner);
  const isCoded = existsSync(file('door.ts'));
  const takes = (parameter: string) =>
    isCoded && readFileSync(file('serverless.yml'), 'utf8').includes(`\${param:${parameter}}`);
  return { name, isCoded, takes, isFollower: takes('to'), file };
};

/** The names of all doors, sorted. */
export const doorNames = (): string[] =>
  readdirSync(join(ROOT, 'doors'), { withFileTypes: true })
    .flatMap((entry) => (entry.isDirectory() ? [entry.name] : []))
    .toSorted();

/** @throws {Stop} when there is no door with this name */
export function findDoor(name: string): DoorFolder {
  const names = doorNames();
  if (!names.includes(name)) throw new Stop(`There is no door ${name}. There are: ${names.join(', ')}`);
  return doorIn(name);
}
