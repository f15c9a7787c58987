import { expect, test } from 'vitest';
import { read, SCRIPTS } from '../support/files.ts';
import { runProgram } from '../support/programs.ts';

/** The programs of the project. */
const PROGRAMS = Object.entries(SCRIPTS).flatMap(([name, script]) => {
  const [, file = ''] = /^node tools\/node\.cjs && node (\S+\.ts)$/.exec(script) ?? [];
  return file === '' ? [] : [[name, file] as const];
});

test('the programs are known', () => {
  expect(PROGRAMS.length).toBeGreaterThan(10);
});

/** The options that a program reads, as its sources name them. */
const optionsOf = (file: string): string[] =>
  [file, ...(file.endsWith('/import.ts') ? ['tools/import/importOptions.ts'] : [])]
    .flatMap((source) => [...read(source).matchAll(/(?<=[ {])'?([\w-]+)'?: (?:FLAG|TEXTS?|\{ \.\.\.(?:TEXT|FLAG))\b/g)])
    .map(([, name]) => `--${name}`);

test('the options of the programs are known', () => {
  expect(optionsOf('tools/operate/deploy.ts')).toEqual([
    '--stage',
    '--region',
    '--adopt',
    '--resend',
    '--unwatched',
    '--url',
  ]);
  expect(optionsOf('bench/run.ts')).toContain('--creates');
  expect(optionsOf('tools/import/import.ts').length).toBeGreaterThan(12);
});

test.each(PROGRAMS)(
  'npm run %s explains itself and each of its options, and names an option that it does not have, in one line',
  async (name, file) => {
    const run = (option: string) => runProgram(process.execPath, [file, option]);
    const [asked, wrong] = await Promise.all([run('--help'), run('--nonsense')]);
    const usage = new RegExp(`^Usage: npm run ${name}\\b`);
    expect(asked).toEqual({ code: 0, stdout: expect.stringMatching(usage), stderr: '' });
    // On a line of its own, or in the first one with its value in words.
    const explained = [...asked.stdout.matchAll(/^ {2}(--[\w-]+)|(--[\w-]+)(?= <)/gm)].map(
      (found) => found[1] ?? found[2],
    );
    expect(optionsOf(file).filter((option) => !explained.includes(option))).toEqual([]);
    expect(wrong).toEqual({
      code: expect.toSatisfy((code) => code === 1 || code === 2),
      stdout: '',
      stderr: `Unknown option '--nonsense'. See npm run ${name} -- --help\n`,
    });
  },
);
