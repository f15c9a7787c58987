import type { APIGatewayProxyEvent } from 'aws-lambda';
import fc from 'fast-check';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import type { Invoke } from '../support/calls.ts';
import { loadHandlersOn } from '../support/fake/handlers.ts';
import { chanceOf } from '../support/fake/scheduler.ts';
import { DIRECT, FakeStore } from '../support/fake/store.ts';
import { type HostileEvent, hostileEvent } from '../support/hostileEvents.ts';
import { captureLog } from '../support/logs.ts';
import { differences, snapshot } from '../support/realm.ts';

/** `npm run test:long` sends more. */
const EVENTS = Number(process.env.EVENTS ?? 2_000);
const SEED = Number(process.env.EVENTS_SEED ?? 20_261_121);
const CHUNK = 1_000;

let time = 1_790_000_000_000;
const store = new FakeStore({ now: () => time });
const runtime = {
  now: () => time++,
  monotonic: () => time,
  random: chanceOf(SEED),
  sleep: async (milliseconds: number) => {
    time += milliseconds;
  },
};

let invoke: Invoke;
let log: ReturnType<typeof captureLog>;

beforeAll(async () => {
  log = captureLog();
  invoke = await loadHandlersOn(() => ({ store, line: DIRECT }), runtime);
});

afterAll(() => {
  vi.restoreAllMocks();
  vi.unstubAllEnvs();
  vi.resetModules();
});

const LEAK = /errorMessage|errorType|stackTrace|node_modules|\.[cm]?[jt]s:\d|\n\s+at /;

/** What is wrong with the response to an event, if anything is. `invoke` compares the response with the OpenAPI document. */
async function complaint({ operation, event, isMisshapen }: HostileEvent): Promise<string | undefined> {
  const response = await invoke(operation, { more: event as Partial<APIGatewayProxyEvent> });
  statuses[response.statusCode] = (statuses[response.statusCode] ?? 0) + 1;
  if (response.statusCode >= 500 && !isMisshapen)
    return `a ${response.statusCode}: ${JSON.stringify(log.faults.at(-1))}`;
  if (response.statusCode >= 400 && LEAK.test(response.body)) return `a leak: ${response.body}`;
  return undefined;
}

const statuses: Record<number, number> = {};

test(
  'a hostile event gets a response in the documented shape, and changes no shared object',
  async () => {
    const created = await invoke('createUser', { body: { name: 'Ann', lastName: 'Abab', status: 'on' } });
    const { id } = created.json as { id: number };
    const before = snapshot();
    const complaints: string[] = [];
    for (let sent = 0; sent < EVENTS; sent += CHUNK) {
      const events = fc.sample(hostileEvent([id, id + 1, 7]), {
        seed: SEED + sent,
        numRuns: Math.min(CHUNK, EVENTS - sent),
      });
      for (const event of events) {
        const found = await complaint(event).catch((error: Error) => `thrown: ${error.message}`);
        if (found) complaints.push(`${JSON.stringify(event).slice(0, 600)}\n  ${found.slice(0, 600)}`);
      }
      log.requests.length = 0;
      log.faults.length = 0;
    }
    expect(complaints.slice(0, 10)).toEqual([]);
    expect(differences(before)).toEqual([]);
    for (const status of [200, 201, 204, 304, 400, 401, 404, 406, 415]) {
      expect(statuses).toHaveProperty(String(status));
    }
  },
  60_000 + EVENTS * 20,
);
