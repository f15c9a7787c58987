import type { EditResult } from '../../schemas/edits.ts';
import { note, noteOperations } from '../ground/index.ts';
import { type Log, lastOf } from './log.ts';

export type EditReport = EditResult;

export function reportOf(log: Log, left = 0): EditReport {
  const { changed, unchanged } = lastOf(log);
  return { edit: log.name, changed, unchanged, failed: log.steps.flatMap(({ failed }) => failed), left };
}

/** For the log line of the call. */
export function noteWork(before: EditReport, { changed, unchanged, failed }: EditReport): void {
  const now = failed.slice(before.failed.length).map(({ status }) => status);
  const fine = changed - before.changed + unchanged - before.unchanged;
  note({ changed: changed - before.changed });
  noteOperations([...new Array<number>(fine).fill(200), ...now]);
}
