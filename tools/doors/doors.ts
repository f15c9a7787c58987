import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { Stop } from '../program/stop.ts';

const ROOT = join(import.meta.dirname, '../..');

/** A door: a folder of doors/. */
export interface DoorFolder {
  name: string;
  /** A door with code of its own is started and packaged. Others are a template, which CloudFormation takes as it is. */
  isCoded: boolean;
  /** The path of one of its files. */
  file: (name: string) => string;
}

const doorIn = (name: string): DoorFolder => {
  const file = (inner: string) => join(ROOT, 'doors', name, inner);
  return { name, isCoded: existsSync(file('door.ts')), file };
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
