import { appendFile } from 'node:fs/promises';
import type { Sink } from '../users/changes/sender.ts';
import { toEvent } from './event.ts';

/** Appends changes to a file: an event in each line, in JSON. */
export const createFileSink = (file: string): Sink => ({
  send: (changes) => appendFile(file, changes.map((change) => `${JSON.stringify(toEvent(change))}\n`).join('')),
});
