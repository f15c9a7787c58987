import { afterAll, beforeAll, describe, expect, test } from 'vitest';
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
    services.map(async ({ url }) => {
      for (const json of users) await caller(url)('POST', '/api/users', { json });
    }),
  );
});

afterAll(async () => {
  await Promise.all(services.map((service) => service.stop()));
});

const bench = (...options: string[]) => runProgram(process.execPath, ['bench/run.ts', ...options]);

const rowsOf = (stdout: string): string[][] => {
  const lines = stdout.trim().split('\n').slice(2);
  return lines.map((line) =>
    line
      .split('|')
      .slice(1, -1)
      .map((cell) => cell.trim()),
  );
};

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
    for (const [title, ...numbers] of rows) {
      expect(numbers.pop(), title).toBe('yes');
      expect(
        numbers.map((number) => Number(number) > 0),
        title,
      ).toEqual([true, true, true]);
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
