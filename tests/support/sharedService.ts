import { inject } from 'vitest';
import type { LocalService } from './httpService.ts';

export type SharedService = Pick<LocalService, 'url' | 'port' | 'pid'>;

async function ask(path: string): Promise<string> {
  const response = await fetch(`${inject('sharedService')}${path}`);
  const text = await response.text();
  if (!response.ok) throw new Error(text);
  return text;
}

/** The service that test files share. It has users of all of them. `globalService.ts` starts it at the first call. */
export const sharedService = async (): Promise<SharedService> => JSON.parse(await ask('/'));

/** All that the shared service printed so far. */
export const sharedOutput = (): Promise<string> => ask('/output');
