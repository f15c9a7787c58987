import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout } from 'node:timers/promises';
import { afterAll, expect, test } from 'vitest';
import { caller } from '../../tests/support/httpService.ts';
import { serviceForFile } from '../../tests/support/localService.ts';
import { scimCaller, TOKEN, tablesForFile } from '../../tests/support/scim.ts';
import { freePort } from '../../tools/local/port.ts';

/** A tenth of what a long run does: 20 groups and 3,000 users. */
const TIMES = Number(process.env.TIMES ?? 1);
const GROUPS = TIMES > 1 ? 20 : 6;
const USERS = TIMES > 1 ? 3_000 : 300;
const KILLS = 3;
const PATIENCE_MS = 300_000;

const service = await serviceForFile();
const tables = await tablesForFile();
const api = caller(service.url);
const port = await freePort();
const scim = scimCaller(`http://localhost:${port}`);

let door: ChildProcess | undefined;

/** The door as a process of its own. Its tables outlive it. */
function start(): void {
  const options = ['tools/doors/door.ts', 'scim', '--url', service.url, '--port', String(port), '--token', TOKEN];
  const env = { ...process.env, ...tables, SCIM_GROUPS: 'groups' };
  door = spawn(process.execPath, options, { env, stdio: 'ignore' });
}

async function kill(): Promise<void> {
  if (door === undefined) return;
  door.kill('SIGKILL');
  await once(door, 'exit');
}
afterAll(kill);

let isOver = false;
let killed = 0;
/** Requests that had no answer, or another one than they hoped for. */
let failures = 0;

/** Sends a request as a provider does, again and again until it is answered. */
async function send(method: string, path: string, json?: object) {
  for (const end = Date.now() + PATIENCE_MS; Date.now() < end; await setTimeout(200)) {
    const answer = await scim(method, path, json).catch(() => undefined);
    if (answer !== undefined && answer.status < 500) return answer;
    failures++;
  }
  throw new Error(`${method} ${path} had no answer`);
}

async function createUsers(): Promise<number[]> {
  const operations = Array.from({ length: USERS }, (_, n) => ({ op: 'create', user: { name: `User ${n}` } }));
  const ids: number[] = [];
  for (let at = 0; at < USERS; at += 100) {
    const { body } = await api('POST', '/api/users/batch', { json: { operations: operations.slice(at, at + 100) } });
    ids.push(...(body as { results: { id: number }[] }).results.map(({ id }) => id));
  }
  return ids;
}

/** A user is in every second group, beginning with one of its own: in half of them, so that some are full beside others. */
const membersAt = (group: number, users: number[]) => users.filter((_, n) => (n + group) % 2 === 0);

async function push(group: number, users: number[]): Promise<void> {
  const displayName = `Group ${group}`;
  const members = membersAt(group, users);
  const values = (ids: number[]) => ids.map((value) => ({ value: String(value) }));
  // Okta creates a group with nobody, and Entra, too. This one also begins with some.
  const body = { displayName, members: values(group % 2 ? members.slice(0, 10) : []) };
  const created = await send('POST', '/Groups', body);
  // A creation whose answer was lost is there: its provider looks for it by its name.
  const found = created.status === 409 ? await send('GET', `/Groups?filter=displayName eq "${displayName}"`) : created;
  const { id } = found.body.Resources?.[0] ?? found.body;
  for (let at = 0; at < members.length; at += 500) {
    const operation = { op: 'add', path: 'members', value: values(members.slice(at, at + 500)) };
    expect((await send('PATCH', `/Groups/${id}`, { Operations: [operation] })).status).toBe(204);
  }
}

/** Kills the door at times that nobody chose, while it works, and starts it again. */
async function killDoor(): Promise<void> {
  for (; killed < KILLS && !isOver; killed++) {
    await expect
      .poll(() =>
        scim('GET', '/Groups?count=1').then(
          ({ status }) => status,
          () => 0,
        ),
      )
      .toBe(200);
    await setTimeout(Math.random() * USERS * GROUPS);
    await kill();
    start();
  }
}

test('a push of groups that is killed three times, and continued, has each member once', async () => {
  const users = await createUsers();
  start();
  const killing = killDoor();
  for (let group = 0; group < GROUPS || killed < KILLS; group++) await push(group % GROUPS, users);
  isOver = true;
  await killing;
  expect([killed, failures > 0]).toEqual([KILLS, true]);
  const { body } = await send('GET', '/Groups?sortBy=displayName&excludedAttributes=members');
  expect(body.totalResults).toBe(GROUPS);
  for (const { id, displayName } of body.Resources as { id: string; displayName: string }[]) {
    const { members } = (await send('GET', `/Groups/${id}`)).body as { members: { value: string }[] };
    const expected = membersAt(Number(displayName.slice(6)), users).sort((a, b) => a - b);
    expect(members.map(({ value }) => Number(value))).toEqual(expected);
  }
});
