import type { Store } from './data.ts';
import { muteLog } from './mute.ts';

/** Call it before a handler is imported: it connects handlers to the store, as Lambda loads them, in this process. */
export function connectHandlers({ endpoint, database: { tables } }: Store): void {
  Object.assign(process.env, {
    USERS_TABLE: tables.users,
    DIRECTORY_TABLE: tables.directory,
    AWS_ENDPOINT_URL_DYNAMODB: endpoint,
  });
  muteLog();
}
