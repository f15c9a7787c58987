import type { Store } from './data.ts';

/** Drops what handlers log: a benchmark prints only its results. */
export function muteLog(): void {
  const write = process.stdout.write.bind(process.stdout);
  process.stdout.write = (chunk: string | Uint8Array, ...rest: never[]): boolean =>
    String(chunk).startsWith('{"level":') ? true : write(chunk, ...rest);
}

/** Connects the handlers in this process to a store. Call it before a handler is imported, as it sets the environment. */
export function connectHandlers({ endpoint, database: { tables } }: Store): void {
  Object.assign(process.env, {
    USERS_TABLE: tables.users,
    DIRECTORY_TABLE: tables.directory,
    AWS_ENDPOINT_URL_DYNAMODB: endpoint,
  });
  muteLog();
}
