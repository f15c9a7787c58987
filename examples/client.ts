import createClient from 'openapi-fetch';
import type { paths } from './openapi.d.ts';
export const url = process.env.API ?? 'http://localhost:3000';
export const headers: Record<string, string> = process.env.TOKEN
  ? { authorization: `Bearer ${process.env.TOKEN}` }
  : {};
/** The members of `attributes` are parameters of their own. */
const querySerializer = { object: { style: 'form', explode: true } } as const;
export const api = createClient<paths, 'application/json'>({ baseUrl: url, headers, querySerializer });
