/** `npm run smoke -- https://…`: tests a running service from outside and leaves nothing behind. */
import { systemRuntime } from '../../lib/ground/index.ts';
import { readArgument, readUrl } from '../program/options.ts';
import { sendWhole } from '../program/send.ts';
import { quoted, reasonOf, runMain, say } from '../program/stop.ts';
import { findToken } from '../program/token.ts';
import { NOT_PROMISED, type Send, type SmokeRun, STEPS } from './smokeSteps.ts';

const REQUEST_TIMEOUT_MS = 30_000;

const USAGE = 'Usage: npm run smoke -- <base URL>, such as https://abc123.execute-api.eu-central-1.amazonaws.com/prod';

const sender =
  (baseUrl: string, bearer: string | undefined): Send =>
  async (method, path, { headers = {}, json, token } = {}) => {
    const response = await sendWhole(baseUrl + path, {
      method,
      headers: {
        ...(json && { 'content-type': 'application/json' }),
        ...(bearer !== undefined && token !== false && { authorization: `Bearer ${bearer}` }),
        ...headers,
      },
      ...(json && { body: JSON.stringify(json) }),
      signal: AbortSignal.timeout(REQUEST_TIMEOUT_MS),
    });
    const text = await response.text();
    const isJson = response.headers.get('content-type')?.includes('json') && text !== '';
    return { status: response.status, headers: response.headers, body: isJson ? JSON.parse(text) : text };
  };

const passed = (title: string, start: number): string => `✓ ${title} (${systemRuntime.now() - start} ms)\n`;

const notPromised = ({ description }: SmokeRun): string =>
  `version ${quoted(String(description?.info.version))} does not promise it`;

/** Stops at the first step that fails. @returns whether all steps passed */
async function runAll(run: SmokeRun): Promise<boolean> {
  for (const [title, step] of Object.entries(STEPS)) {
    const start = systemRuntime.now();
    try {
      const outcome = await step(run);
      process.stdout.write(outcome === NOT_PROMISED ? `– ${title}: ${notPromised(run)}\n` : passed(title, start));
    } catch (error) {
      process.stdout.write(`✗ ${title}: ${quoted(reasonOf(error))}\n`);
      return false;
    }
  }
  return true;
}

/** Removes what a run may have left, also a user whose creation was not answered. */
async function removeUsers({ send, lastName }: SmokeRun): Promise<void> {
  const listed = await send('GET', `/api/users?lastName=${lastName}`);
  const { content = [] } = listed.body as { content?: { id: number; lastName?: string }[] };
  // A service that lists others does not filter: they are left alone.
  const own = content.filter((user) => user.lastName === lastName);
  const removed = await Promise.all(own.map(({ id }) => send('DELETE', `/api/users/${Number(id)}`)));
  if (listed.status === 200 && removed.every(({ status }) => status === 204)) return;
  throw new Error(`A user with the last name ${lastName} may still be there`);
}

async function main(): Promise<number> {
  const send = sender(readUrl(readArgument(USAGE), USAGE, 'The base URL'), await findToken());
  const lastName = `Smoke${Math.floor(systemRuntime.random() * 1e12).toString(36)}`;
  const run: SmokeRun = { send, lastName };
  if (await runAll(run)) return 0;
  // Whether it can be removed or not: the test has failed.
  await removeUsers(run).catch((error) => say(reasonOf(error)));
  return 1;
}

runMain(main);
