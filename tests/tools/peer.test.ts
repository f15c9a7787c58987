import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { inParallel } from '../../lib/parallel.ts';
import { people } from '../../lib/tooling/local/people.ts';
import { caller, type LocalService } from '../support/httpService.ts';
import { runProgram } from '../support/runProgram.ts';
import { serviceOn } from '../support/service.ts';

let services: [LocalService, LocalService];

beforeAll(async () => {
  services = await Promise.all([serviceOn.http(), serviceOn.http()]);
  const source = people(3);
  const users = Array.from({ length: 120 }, () => source.next().value);
  // One after another, so that ids have the same order in both services.
  await Promise.all(
    services.map(({ url }) =>
      inParallel(users, 1, async (json) => {
        await caller(url)('POST', '/api/users', { json });
      }),
    ),
  );
});

afterAll(async () => {
  await Promise.all(services.map((service) => service.stop()));
});

const bench = (...options: string[]) => runProgram(process.execPath, ['bench/run.ts', ...options]);

const rowsOf = (stdout: string): string[][] =>
  stdout
    .trim()
    .split('\n')
    .slice(2)
    .map((line) => line.split('|').map((cell) => cell.trim()))
    .map((cells) => cells.slice(1, -1));

describe('npm run bench -- --peer', () => {
  test('asks both services the same, and shows times, their ratio, and whether they found the same users', async () => {
    const [own, peer] = services;
    const options = ['--url', `${own.url}/`, '--peer', peer.url, '--rounds', '2'];
    // Both have the same people with different ids, so only questions with an id differ.
    const others = await bench(...options);
    expect(others.code).toBe(1);
    expect(rowsOf(others.stdout).filter((row) => row.at(-1) !== 'yes')).toEqual([
      ['a user', ...Array(3).fill(expect.any(String)), '**no: status 200 and status 404**'],
    ]);

    const same = await bench('--url', own.url, '--peer', own.url.replace('localhost', '127.0.0.1'), '--rounds', '2');
    expect(same).toMatchObject({ code: 0, stderr: expect.stringContaining('12/12 questions') });
    const rows = rowsOf(same.stdout);
    expect(rows).toHaveLength(12);
    for (const [title, here, there, ratio, isSame] of rows) {
      expect([title, Number(here) > 0, Number(there) > 0, Number(ratio) > 0, isSame]).toEqual([
        title,
        ...[true, true, true, 'yes'],
      ]);
    }
  });

  test.each([
    [['--peer', 'localhost'], '--peer and --url must be the base URLs of two services'],
    [['--peer', 'http://a', '--url', 'http://a/'], '--peer and --url must be the base URLs of two services'],
    [['--peer', 'http://a', '--rounds', '0'], '--rounds must be a positive integer'],
  ])('with %j says: %s', async (options, sentence) => {
    expect(await bench(...options)).toMatchObject({ code: 1, stderr: expect.stringContaining(sentence) });
  });
});
