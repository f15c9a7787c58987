import { inject, type ProvidedContext } from 'vitest';
import type { LocalService } from './httpService.ts';

/** Asks `globalSetup.ts`, which starts it at the first call. On a connection of its own, for the reason that `exchange` has. */
async function shared<Shared>(name: keyof ProvidedContext): Promise<Shared> {
  const response = await fetch(inject(name), { headers: { connection: 'close' } });
  const text = await response.text();
  if (!response.ok) throw new Error(text);
  return JSON.parse(text);
}

export type SharedService = Pick<LocalService, 'url' | 'port' | 'pid'>;

/** The service that test files share, with the users of all of them. */
export const sharedService = (): Promise<SharedService> => shared('sharedService');

/** Where the store is that test files share. Each has its own tables there. */
export const storeEndpoint = async (): Promise<string> => (await shared<{ endpoint: string }>('sharedStore')).endpoint;
