import { inject } from 'vitest';
import type { LocalService } from './httpService.ts';

export type SharedService = Pick<LocalService, 'url' | 'port' | 'pid'>;

/** The service that test files share, with the users of all of them. `globalService.ts` starts it at the first call. */
export async function sharedService(): Promise<SharedService> {
  const response = await fetch(inject('sharedService'));
  const text = await response.text();
  if (!response.ok) throw new Error(text);
  return JSON.parse(text);
}
