/** Sends docs/requests.http as an editor does. */
import { read } from './files.ts';
import { exchange } from './httpService.ts';

type Answer = Awaited<ReturnType<typeof exchange>>;

/** The requests of the file, in their order. An editor refers to the answers of those that have a name. */
export const REQUESTS = read('docs/requests.http')
  .split(/^### /m)
  .slice(1)
  .map((part) => {
    const [title = '', ...lines] = part.split('\n');
    const [, name] = /^# @name (\w+)$/m.exec(part) ?? [];
    return { title, name, text: lines.join('\n') };
  });

/** Fills in the variables of a request, and what refers to earlier answers: `{{name.response.body.$.member}}` or `.headers.Name`. */
const fillIn = (request: string, answers: Record<string, Answer>): string =>
  request.replace(/\{\{([\w.$-]+)\}\}/g, (reference, path: string) => {
    const [name = '', , part, ...members] = path.split('.');
    const answer = answers[name];
    const values: Record<string, string> = { base: '', token: 'none' };
    const value = answer
      ? part === 'headers'
        ? answer.headers.get(members[0] ?? '')
        : JSON.parse(answer.text)[members[1] ?? '']
      : values[name];
    if (value === undefined || value === null) throw new Error(`Nothing to fill in for ${reference}`);
    return String(value);
  });

/** Sends a request as it is written in the file. */
function send(url: string, request: string): Promise<Answer> {
  const [head = '', ...rest] = request
    .replace(/^#.*\n/gm, '')
    .trim()
    .split('\n\n');
  const [start = '', ...fields] = head.split('\n');
  const [method = '', path = ''] = start.split(' ');
  const headers: Record<string, string> = Object.fromEntries(fields.map((field) => field.split(/:\s*/, 2)));
  return exchange(url, method, path, { headers, ...(rest.length > 0 && { body: rest.join('\n\n') }) });
}

/** Sends all of them. @returns their statuses, each with its title */
export async function sendAll(url: string): Promise<[title: string, status: number][]> {
  const answers: Record<string, Answer> = {};
  const statuses: [string, number][] = [];
  for (const { title, name, text } of REQUESTS) {
    const answer = await send(url, fillIn(text, answers));
    if (name !== undefined) answers[name] = answer;
    statuses.push([title, answer.status]);
  }
  return statuses;
}
