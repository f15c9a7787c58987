import { afterAll } from 'vitest';
import type { Settings } from '../../doors/door.ts';
import door from '../../doors/scim/door.ts';
import { serve } from '../../doors/serve.ts';
import { findDoor } from '../../tools/doors/doors.ts';
import { startTables } from '../../tools/doors/tables.ts';
import { serviceForFile } from './localService.ts';

export const TOKEN = 'the-token-of-the-door';

interface Scim {
  status: number;
  headers: Headers;
  // biome-ignore lint/suspicious/noExplicitAny: resources of any form, which tests compare with literals.
  body: any;
}

/** Calls a door. Every answer with a body is SCIM. */
export const scimCaller =
  (url: string, token = TOKEN) =>
  async (method: string, path: string, json?: object | string, headers: Record<string, string> = {}): Promise<Scim> => {
    const response = await fetch(`${url}/scim/v2${path}`, {
      method,
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/scim+json', ...headers },
      ...(json !== undefined && { body: typeof json === 'string' ? json : JSON.stringify(json) }),
    });
    const text = await response.text();
    if (text !== '' && response.headers.get('content-type') !== 'application/scim+json')
      throw new Error(`No SCIM: ${text}`);
    return { status: response.status, headers: response.headers, body: text === '' ? undefined : JSON.parse(text) };
  };

/** A door before a service, which end with the file. */
export async function doorFor(url: string, settings: Partial<Settings> = {}) {
  const { url: address, stop } = await serve(door, async () => ({ url, token: TOKEN, ...settings }), 0);
  afterAll(stop);
  return { url: address, scim: scimCaller(address) };
}

/** The tables of the door, which end with the file, as its variables. */
export async function tablesForFile(): Promise<Record<string, string>> {
  const { tables, stop } = await startTables(findDoor('scim'));
  afterAll(stop);
  return tables;
}

/** A door before a service of its own, with its tables. */
export async function doorForFile(settings: Partial<Settings> = {}) {
  const [service, tables] = await Promise.all([serviceForFile(), tablesForFile()]);
  return { service, tables, ...(await doorFor(service.url, { ...tables, ...settings })) };
}
