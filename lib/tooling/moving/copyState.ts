import { open, readFile, rename } from 'node:fs/promises';
import { reasonOf, Stop } from './stop.ts';

/** How far a copy has come. */
export interface CopyState {
  /** The URLs of both services. */
  from: string;
  to: string;
  /** The place in the source's changes from which on they are not copied yet. */
  after: string;
  /** What is copied now: the users, or what has changed since; or both were equal at the end. */
  phase: 'users' | 'changes' | 'done';
  /** All users up to this id have been copied. */
  reached: number;
  /** How many users these were. */
  users: number;
}

const TYPES = { from: 'string', to: 'string', after: 'string', phase: 'string', reached: 'number', users: 'number' };

const isState = (value: unknown): value is CopyState =>
  typeof value === 'object' &&
  value !== null &&
  Object.entries(TYPES).every(([name, type]) => typeof (value as Record<string, unknown>)[name] === type);

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/**
 * The state of an earlier run. Undefined if there was none.
 *
 * @throws {Stop} when the file cannot be read, or belongs to other services
 */
export async function readState(path: string, { from, to }: Pick<CopyState, 'from' | 'to'>) {
  const text = await readFile(path, 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return undefined;
    throw new Stop(`Cannot read ${path}: ${reasonOf(error)}`);
  });
  if (text === undefined) return undefined;
  const state = parsed(text);
  if (!isState(state)) throw new Stop(`${path} is not the state of a copy: give another file with --state`);
  if (state.from !== from || state.to !== to) {
    throw new Stop(`${path} is the state of a copy from ${state.from} to ${state.to}: give another file with --state`);
  }
  return state;
}

/** Replaces the file as a whole: a run that is killed leaves the former state or the new one. */
async function replaceFile(path: string, text: string): Promise<void> {
  const next = `${path}.next`;
  const file = await open(next, 'w');
  try {
    await file.writeFile(text);
    await file.sync();
  } finally {
    await file.close();
  }
  await rename(next, path);
}

/** Writes states, one after another. @throws {Stop} when the file cannot be written */
export function stateFile(path: string): (state: CopyState) => Promise<void> {
  let last: Promise<unknown> = Promise.resolve();
  return (state) => {
    const text = `${JSON.stringify(state, undefined, 2)}\n`;
    const written = last.then(() =>
      replaceFile(path, text).catch((error) => {
        throw new Stop(`Cannot write ${path}: ${reasonOf(error)}`);
      }),
    );
    last = written.catch(() => undefined);
    return written;
  };
}
