import { execFileSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { constants, platform } from 'node:os';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { isEmbedded } from '../../tools/local/localStore.ts';
import { useService } from '../../tools/local/workFolder.ts';
import { caller, type LocalService, launch } from '../support/httpService.ts';
import { endWithTest, exists, serviceFile, startForTest, untilNothingRuns } from '../support/localService.ts';
import { temporaryFolder } from '../support/programs.ts';
import { sharedService } from '../support/shared.ts';

const folder = temporaryFolder();

const list = ({ url }: Pick<LocalService, 'url'>) => caller(url)('GET', '/api/users');

/** The process of the store that has this data file. */
function storeOf(file: string): number {
  const lines = execFileSync('ps', ['-eo', 'pid,args'], { encoding: 'utf8' }).split('\n');
  return Number.parseInt(lines.find((line) => /^ *\d+ \S*dynoxide /.test(line) && line.includes(file)) ?? '', 10);
}

const JUNK = join(folder, 'junk.db');
writeFileSync(JUNK, 'This is not a database, but some text.');

/** The message of a store in memory to a user who wants to keep its data. */
const KEEPS_NOTHING = /^DYNAMODB_DATA needs the embedded DynamoDB, .* AWS_ENDPOINT_URL_DYNAMODB=http:/m;

describe('a start that fails', () => {
  test('because the port is in use says so, and does not disturb the running service', async () => {
    const first = await sharedService();
    const announced = readFileSync(serviceFile(first), 'utf8');
    const second = endWithTest(await launch({ env: { PORT: String(first.port) } }));
    expect(await second.ended).toBe(1);
    expect(second.output()).toContain(
      `Error:\nPort ${first.port} is in use: end what listens there, or name another port in PORT.\n`,
    );
    await untilNothingRuns(second);
    expect(exists(second)).toBe(false);
    expect(readFileSync(serviceFile(first), 'utf8')).toBe(announced);
    expect((await list(first)).status).toBe(200);
  });

  test.each([
    [
      'the data is not a database',
      { DYNAMODB_DATA: JUNK },
      isEmbedded() ? /^The embedded DynamoDB ended immediately: .*not a valid SQLite database/m : KEEPS_NOTHING,
    ],
    ['a store in memory keeps no data', { DYNAMODB_DATA: JUNK, LOCAL_STORE: 'memory' }, KEEPS_NOTHING],
    ['lists come from no such engine', { LISTS: 'memory' }, /^LISTS is replica or opensearch, not memory\.$/m],
    [
      'the address of the index is none',
      { LISTS: 'opensearch', OPENSEARCH_URL: 'http://search.example.com' },
      /^OPENSEARCH_URL is an https address, or one such as http:\/\/localhost:9200, not http:\/\/search\.example\.com\.$/m,
    ],
    [
      'there is no store at the address',
      { AWS_ENDPOINT_URL_DYNAMODB: 'http://127.0.0.1:1' },
      /^DynamoDB does not describe table user-management-dev-users: connect ECONNREFUSED 127\.0\.0\.1:1\.?$/m,
    ],
  ])('because %s says so, and ends', async (_, env, message) => {
    const service = endWithTest(await launch({ env }));
    expect(await service.ended).toBe(1);
    expect(service.output()).toMatch(message);
    expect(service.output()).not.toMatch(/^ +at /m);
    await untilNothingRuns(service);
    expect(exists(service)).toBe(false);
  });
});

// Elsewhere a thread has no priority of its own.
test.runIf(platform() === 'linux')('the thread that folds gives way to those that answer requests', async () => {
  const { pid } = await sharedService();
  const priorities = () =>
    execFileSync('ps', ['-L', '-o', 'ni=', '-p', String(pid)], { encoding: 'utf8' })
      .trim()
      .split('\n')
      .map(Number);
  // The thread begins when the service is ready.
  await expect.poll(() => Math.max(...priorities())).toBeGreaterThanOrEqual(constants.priority.PRIORITY_BELOW_NORMAL);
});

// reload.test.ts ends a service by Ctrl-C, and start.test.ts by closing its terminal.
test.runIf(isEmbedded())(
  'the end of a service leaves only its data file behind, after SIGKILL, after the end of its store, and after the end of npm',
  async () => {
    const DYNAMODB_DATA = join(folder, 'kept.db');
    const other = await sharedService();
    const killed = await startForTest({ env: { DYNAMODB_DATA } });
    await caller(killed.url)('POST', '/api/users', { json: { name: 'Ann' } });
    expect(exists(killed)).toBe(true);
    expect(killed.processes().length).toBeGreaterThan(2);
    expect(await killed.stop('SIGKILL')).toBe('SIGKILL');
    await untilNothingRuns(killed);
    // Every service that starts removes these files, even the service of another test, so they may be gone already.
    expect(() => useService(killed.port)).toThrow(`No service of this folder runs on port ${killed.port}.`);

    const second = await startForTest({ env: { DYNAMODB_DATA } });
    expect(exists(killed)).toBe(false);
    expect(exists(other)).toBe(true);
    expect((await list(other)).status).toBe(200);
    expect((await list(second)).body).toMatchObject({ totalElements: 1 });
    process.kill(storeOf(DYNAMODB_DATA), 'SIGKILL');
    expect(await second.ended).toBe(1);
    expect(second.output()).toContain('The embedded DynamoDB has ended, and the service with it. Start it again.\n');
    await untilNothingRuns(second);
    expect(exists(second)).toBe(false);

    const npm = endWithTest(await launch({ command: ['npm', 'start'], env: { DYNAMODB_DATA } }));
    await expect.poll(npm.output).toContain('Server ready');
    expect((await list(npm)).body).toMatchObject({ totalElements: 1 });
    await npm.stop('SIGTERM');
    await untilNothingRuns(npm);
    expect(() => useService(npm.port)).toThrow(`No service of this folder runs on port ${npm.port}.`);
  },
);
