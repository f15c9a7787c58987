import type { Store } from './data.ts';
import { muteLog } from './mute.ts';

/** Connects the handlers in this process to a store. Call it before a handler is imported, as it sets the environment. */
export function connectHandlers({ endpoint, database: { tables } }: Store): void {
  Object.assign(process.env, {
    USERS_TABLE: tables.users,
    DIRECTORY_TABLE: tables.directory,
    AWS_ENDPOINT_URL_DYNAMODB: endpoint,
  });
  muteLog();
}
