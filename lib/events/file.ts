import { appendFile } from 'node:fs/promises';
import { toEvent } from './event.ts';
import type { Sink } from './sender.ts';

/** Appends changes to a file: an event in each line, in JSON. */
export const createFileSink = (file: string): Sink => ({
  send: (changes) => appendFile(file, changes.map((change) => `${JSON.stringify(toEvent(change))}\n`).join('')),
});
