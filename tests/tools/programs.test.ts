import { expect, test } from 'vitest';
import { SCRIPTS } from '../support/files.ts';
import { runProgram } from '../support/programs.ts';

/** The programs of the project. */
const PROGRAMS = Object.entries(SCRIPTS).flatMap(([name, script]) => {
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
