/** `npm run smoke -- https://…`: tests a running service from outside and leaves nothing behind. */
import { systemRuntime } from '../../lib/runtime.ts';
import { readUrl } from '../import/options.ts';
import { printable, reasonOf, say } from '../import/stop.ts';
import { type Send, type SmokeRun, STEPS } from './smokeSteps.ts';
import { findToken } from './token.ts';

const REQUEST_TIMEOUT_MS = 30_000;

const USAGE = 'Usage: npm run smoke -- <base URL>, such as https://abc123.execute-api.eu-central-1.amazonaws.com/prod';

const sender =
  (baseUrl: string, bearer: string | undefined): Send =>
  async (method, path, { headers = {}, json, token } = {}) => {
    const response = await fetch(baseUrl + path, {
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

/** Stops at the first step that fails. @returns whether all steps passed */
async function runAll(run: SmokeRun): Promise<boolean> {
  for (const [title, step] of Object.entries(STEPS)) {
    const start = systemRuntime.now();
    try {
      await step(run);
    } catch (error) {
      process.stdout.write(printable(`✗ ${title}: ${reasonOf(error)}\n`));
      return false;
    }
    process.stdout.write(`✓ ${title} (${systemRuntime.now() - start} ms)\n`);
  }
  return true;
}

/** The users that this run may have left, also one whose creation was not answered. */
async function usersLeft({ send, lastName, user }: SmokeRun): Promise<{ id?: unknown }[]> {
  if (user) return [user];
  const path = `/api/users?lastName.startsWith=${lastName}`;
  const { status, body } = await send('GET', path);
  if (status !== 200)
    throw new Error(`GET ${path} responded with ${status}: if there is a user with this last name, it is still there`);
  return (body as { content: { id: number }[] }).content;
}

async function removeUsers(run: SmokeRun): Promise<void> {
  const { send } = run;
  for (const { id } of await usersLeft(run)) {
    const { status } = await send('DELETE', `/api/users/${id}`);
    if (status !== 204 && status !== 404)
      throw new Error(`DELETE /api/users/${id} responded with ${status}: the user is still there`);
  }
}

async function smoke(): Promise<boolean> {
  const send = sender(readUrl(process.argv[2], USAGE), await findToken());
  const lastName = `Smoke${Math.floor(systemRuntime.random() * 1e12).toString(36)}`;
  const run: SmokeRun = { send, lastName };
  const isWell = await runAll(run);
  if (isWell) return true;
  // Whether it can be removed or not: the test has failed.
  await removeUsers(run).catch((error) => say(reasonOf(error)));
  return false;
}

smoke().then(
  (isWell) => {
    process.exitCode = isWell ? 0 : 1;
  },
  (error) => {
    say(reasonOf(error));
    process.exitCode = 2;
  },
);
