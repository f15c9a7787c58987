import { execFileSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { findService } from '../../lib/tooling/local/serviceFile.ts';
import { endWithTest, startForTest } from '../support/endWithTest.ts';
import { caller, type LocalService, launch } from '../support/service.ts';

const ROOT = new URL('../..', import.meta.url).pathname;

const folder = mkdtempSync(join(tmpdir(), 'lifetime-'));
afterAll(() => rmSync(folder, { recursive: true }));

const serviceFile = ({ port }: LocalService) => `${ROOT}/.local/service-${port}.json`;
const workFolder = ({ pid }: LocalService) => `${ROOT}/.esbuild/${pid}`;

const exists = (service: LocalService) => [serviceFile(service), workFolder(service)].map((path) => existsSync(path));

const status = async ({ url }: LocalService) => (await caller(url)('GET', '/api/users')).status;

const untilNothingRuns = (service: LocalService) =>
  expect.poll(() => service.processes()).toEqual([]);

/** The process of the store, by the file of its data. */
function storeOf(file: string): number {
  const lines = execFileSync('ps', ['-eo', 'pid,args'], { encoding: 'utf8' }).split('\n');
  const line = lines.find((text) => text.includes('dynoxide') && text.includes(file) && !text.includes('sh -c'));
  return Number(line?.trim().split(' ')[0]);
}

const JUNK = join(folder, 'junk.db');
writeFileSync(JUNK, 'This is not a database, but some text.');

describe('a start that fails', () => {
  test('as the port is in use, says so and leaves the service that has it alone', async () => {
    const first = await startForTest();
    const announced = readFileSync(serviceFile(first), 'utf8');
    const second = endWithTest(await launch({ env: { PORT: String(first.port) } }));
    expect(await second.ended).toBe(1);
    expect(second.output()).toContain(
      `Error:\nPort ${first.port} is in use: end what listens there, or name another port in PORT.\n`,
    );
    await untilNothingRuns(second);
    expect(existsSync(workFolder(second))).toBe(false);
    expect(readFileSync(serviceFile(first), 'utf8')).toBe(announced);
    expect(await status(first)).toBe(200);
    await first.stop();
  });

  test.each([
    [
      'without a folder for the data',
      { DYNAMODB_DATA: join(folder, 'nowhere', 'users.db') },
      /^The embedded DynamoDB ended at once: .*unable to open database file/m,
    ],
    [
      'as the data is none',
      { DYNAMODB_DATA: JUNK },
      /^The embedded DynamoDB ended at once: .*not a valid SQLite database/m,
    ],
    [
      'without a store at the address',
      { AWS_ENDPOINT_URL_DYNAMODB: 'http://127.0.0.1:1' },
      /^DynamoDB does not tell of table user-management-dev-users: connect ECONNREFUSED 127\.0\.0\.1:1\.?$/m,
    ],
    ['with a port that is none', { PORT: '70000' }, /^PORT must be an integer from 1 to 65535\.$/m],
  ])('%s, says so and ends', async (_, env, message) => {
    const service = endWithTest(await launch({ env }));
    expect(await service.ended).toBe(1);
    expect(service.output()).toMatch(message);
    expect(service.output()).not.toMatch(/^ +at /m);
    await untilNothingRuns(service);
    expect(exists(service)).toEqual([false, false]);
  });
});

describe('the end of a service', () => {
  test.each([
    ['SIGINT', 0],
    ['SIGTERM', 0],
    ['SIGHUP', 129],
  ] as const)('by %s leaves nothing behind', async (signal, code) => {
    const service = await startForTest({ DYNAMODB_DATA: join(folder, `${signal}.db`) });
    expect(exists(service)).toEqual([true, true]);
    expect(service.processes().length).toBeGreaterThan(2);
    expect(await service.stop(signal)).toBe(code);
    await untilNothingRuns(service);
    expect(exists(service)).toEqual([false, false]);
  });

  test('comes with that of npm', async () => {
    const npm = endWithTest(await launch({ command: ['npm', 'start'] }));
    await expect.poll(npm.output).toContain('Server ready');
    await npm.stop('SIGTERM');
    await untilNothingRuns(npm);
    expect(existsSync(serviceFile(npm))).toBe(false);
  });

  test('comes with that of its store, and is said', async () => {
    const file = join(folder, 'dies.db');
    const service = await startForTest({ DYNAMODB_DATA: file });
    process.kill(storeOf(file), 'SIGKILL');
    expect(await service.ended).toBe(1);
    expect(service.output()).toContain('The embedded DynamoDB has ended, and the service with it. Start it again.\n');
    await untilNothingRuns(service);
    expect(exists(service)).toEqual([false, false]);
  });

  test('by SIGKILL takes the processes along, and the next start the files, but no other service', async () => {
    const [killed, other] = await Promise.all([startForTest(), startForTest()]);
    expect(await killed.stop('SIGKILL')).toBe('SIGKILL');
    await untilNothingRuns(killed);
    expect(exists(killed)).toEqual([true, true]);
    expect(() => findService(killed.port)).toThrow(`No service runs on port ${killed.port}.`);

    const next = await startForTest();
    expect(exists(killed)).toEqual([false, false]);
    expect(exists(other)).toEqual([true, true]);
    expect(await Promise.all([status(other), status(next)])).toEqual([200, 200]);
    await Promise.all([other.stop(), next.stop()]);
  });
});
