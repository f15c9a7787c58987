import { DatabaseSync } from 'node:sqlite';
import { reasonOf, say } from '../program/stop.ts';

/** So long it waits for a write of the store. */
const TIMEOUT_MS = 10_000;

/**
 * Writes a file of SQLite anew: what was deleted is still in its free places, and in its log. For 100,000 users that takes four seconds.
 * https://sqlite.org/lang_vacuum.html
 */
function forgetDeleted(file: string): void {
  try {
    const data = new DatabaseSync(file, { timeout: TIMEOUT_MS });
    data.exec('VACUUM; PRAGMA wal_checkpoint(TRUNCATE)');
    data.close();
  } catch (error) {
    say(`Deleted data may still be in ${file}: ${reasonOf(error)}`);
  }
}

/** Leaves nothing in the file of the embedded DynamoDB that was deleted there. After SIGKILL, it waits for the end of the next service. */
export const forgetAtEnd = (file: string): void => {
  process.prependOnceListener('exit', () => forgetDeleted(file));
};
