import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { ROOT } from '../support/httpService.ts';
import { runProgram } from '../support/programs.ts';

const { scripts }: { scripts: Record<string, string> } = JSON.parse(readFileSync(`${ROOT}/package.json`, 'utf8'));

/** The programs of the project. */
const PROGRAMS = Object.entries(scripts).flatMap(([name, script]) => {
  const [, file = ''] = /^node (\S+\.ts)$/.exec(script) ?? [];
  return file === '' ? [] : [[name, file] as const];
});

test('the programs are known', () => {
  expect(PROGRAMS.length).toBeGreaterThan(10);
});

test.each(PROGRAMS)(
  'npm run %s explains itself, and names an option that it does not have, in one line',
  async (name, file) => {
    const [asked, wrong] = await Promise.all(
      ['--help', '--nonsense'].map((option) => runProgram(process.execPath, [file, option])),
    );
    const usage = new RegExp(`^Usage: npm run ${name}\\b`);
    expect(asked).toEqual({ code: 0, stdout: expect.stringMatching(usage), stderr: '' });
    expect(wrong).toEqual({
      code: expect.toSatisfy((code) => code === 1 || code === 2),
      stdout: '',
      stderr: `Unknown option '--nonsense'. See npm run ${name} -- --help\n`,
    });
  },
);
