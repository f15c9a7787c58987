import { readFileSync } from 'node:fs';

export interface FileRequest {
  name: string;
  method: string;
  url: string;
  headers: Record<string, string>;
  body: string | undefined;
}

/** A response that later requests of the file refer to. */
export interface FileResponse {
  headers: Headers;
  body: unknown;
}

const FILE = new URL('../../docs/requests.http', import.meta.url);

function parseRequest(section: string): FileRequest[] {
  const name = /^# @name (\w+)$/m.exec(section)?.[1];
  const [head = '', ...rest] = section
    .replace(/^(###.*|#.*)\n/gm, '')
    .trim()
    .split('\n\n');
  const [start = '', ...fields] = head.split('\n');
  const [method = '', url = ''] = start.split(' ');
  if (!name) return [];
  const headers = Object.fromEntries(fields.map((field) => field.split(/:\s*/, 2)));
  return [{ name, method, url, headers, body: rest.length > 0 ? rest.join('\n\n') : undefined }];
}

/** The requests of `docs/requests.http`, in its order. */
export const readRequests = (): FileRequest[] =>
  readFileSync(FILE, 'utf8')
    .split(/^(?=###)/m)
    .flatMap(parseRequest);

/** A text with its variables filled in: those of the file, and `{{name.response.body.$.member}}` or `.headers.Name`. */
export const fillIn = (
  text: string,
  variables: Record<string, string>,
  responses: Record<string, FileResponse>,
): string =>
  text.replace(/\{\{([\w.$-]+)\}\}/g, (_, reference: string) => {
    const [name = '', , part, ...path] = reference.split('.');
    const response = responses[name];
    const value = response
      ? part === 'headers'
        ? response.headers.get(path[0] ?? '')
        : (response.body as Record<string, unknown>)[path[1] ?? '']
      : variables[name];
    if (value === undefined || value === null) throw new Error(`Nothing to fill in for ${reference}`);
    return String(value);
  });
