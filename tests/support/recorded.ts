import { readFileSync } from 'node:fs';
import { createServer, type IncomingMessage, type RequestListener, type ServerResponse } from 'node:http';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { ROOT } from './files.ts';
import { close, listen } from './servers.ts';

/** A request of the smoke test, and what a version responded to it. `{run}` stands for what differs between runs. */
interface Exchange {
  request: string;
  status: number;
  headers: Record<string, string>;
  body: string;
}

/** The random part of the name of the user, whom the smoke test makes. */
const RUN_IN_BODY = /"lastName":"Smoke(\w+)"/;

const PLACEHOLDER = '{run}';

/** Of the connection and not of the version. */
const LEFT_OUT = ['connection', 'content-encoding', 'content-length', 'date', 'keep-alive', 'transfer-encoding'];

/** Nobody reads what the files of the pages have: their bytes are many, and the status says enough. */
const kept = (headers: Headers, body: string): string =>
  /css|javascript/.test(headers.get('content-type') ?? '') ? '' : body;

/** Where the responses of released versions are kept. */
export const FOLDER = join(ROOT, 'tests/tools/smoke');

export const recordOf = (version: string): string => join(FOLDER, `${version}.json`);

/** A proxy before a service, which keeps what is said. */
export async function startRecorder(to: string) {
  const exchanges: Exchange[] = [];
  let run = '';
  const hide = (said: string) => (run === '' ? said : said.replaceAll(run, PLACEHOLDER));
  const server = createServer(async (request, response) => {
    const sent = await text(request);
    const { method = '', url = '', headers } = request;
    run ||= RUN_IN_BODY.exec(sent)?.[1] ?? '';
    const own = Object.entries(headers).filter(([name]) => !LEFT_OUT.includes(name) && name !== 'host');
    const init = { method, headers: own as [string, string][], ...(sent !== '' && { body: sent }) };
    const answer = await fetch(`${to}${url}`, init);
    const body = await answer.text();
    const named = [...answer.headers].filter(([name]) => !LEFT_OUT.includes(name));
    const { status } = answer;
    exchanges.push({
      request: hide(`${method} ${url}`),
      status,
      headers: Object.fromEntries(named.map(([name, value]) => [name, hide(value)])),
      body: hide(kept(answer.headers, body)),
    });
    response.writeHead(status, Object.fromEntries(named)).end(body);
  });
  return { url: await listen(server), exchanges, close: () => close(server) };
}

/**
 * Responds to the requests of a smoke test as a version did: to equal ones in their order, and at last with the last. A request that
 * nobody has sent to that version is 501.
 */
export function respondAs(version: string, changed = (body: string): string => body): RequestListener {
  const exchanges: Exchange[] = JSON.parse(readFileSync(recordOf(version), 'utf8'));
  const groups = Map.groupBy(exchanges, ({ request }) => request);
  let run = '';
  const respond = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    run ||= RUN_IN_BODY.exec(await text(request))?.[1] ?? '';
    const asked = `${request.method} ${request.url}`;
    const group = groups.get(run === '' ? asked : asked.replaceAll(run, PLACEHOLDER)) ?? [];
    const found = group.length > 1 ? group.shift() : group[0];
    const { status, headers, body } = found ?? { status: 501, headers: {}, body: `Not recorded: ${asked}` };
    const show = (said: string) => said.replaceAll(PLACEHOLDER, run);
    const shown = Object.entries(headers).map(([name, value]) => [name, show(value)]);
    response.writeHead(status, Object.fromEntries(shown)).end(show(changed(body)));
  };
  return (request, response) => void respond(request, response);
}
