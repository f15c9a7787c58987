import { inject } from 'vitest';

async function ask(path: string): Promise<string> {
  const response = await fetch(`${inject('sharedService')}${path}`);
  const text = await response.text();
  if (!response.ok) throw new Error(text);
  return text;
}

/** The service that test files share, with the users of all of them. `globalService.ts` starts it for the first that asks. */
export async function sharedService(): Promise<{ url: string; port: number }> {
  const url = await ask('/');
  return { url, port: Number(new URL(url).port) };
}

/** All that the shared service printed so far. */
export const sharedOutput = (): Promise<string> => ask('/output');
