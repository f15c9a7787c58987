import createClient from 'openapi-fetch';
import type { paths } from './openapi.d.ts';
export const url = (process.env.API || 'http://localhost:3000').replace(/\/+$/, '');
export const headers: Record<string, string> = process.env.TOKEN
  ? { authorization: `Bearer ${process.env.TOKEN}` }
  : {};
/** The members of `attributes` are parameters of their own. */
const querySerializer = { object: { style: 'form', explode: true } } as const;
export const api = createClient<paths, 'application/json'>({ baseUrl: url, headers, querySerializer });
/** The arguments of a program, from `least` to `most`. With others, or an empty one, it ends with code 2. */
export function readArguments(usage: string, least: number, most = least): string[] {
  const given = process.argv.slice(2);
  const isRight = given.length >= least && given.length <= most;
  if (isRight && given.every((text) => text.trim() !== '' && !text.startsWith('--'))) return given;
  console.error(`Usage: ${usage}`);
  process.exit(2);
}
