/**
 * `npm run mutants [-- part of a name or file …]` breaks a copy of the source at one place after another, and checks whether a
 * test fails. It prints the breakages that no test noticed. If there are any, the exit code is 1. `-- --random 30` breaks operators
 * of lib/ that are drawn, with the seed that it prints and that `--seed` gives, and runs the tests that import the file. Parts of paths behind it
 * choose the files.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { inParallel, systemRuntime } from '../../lib/ground/index.ts';
import { copyProject } from '../../tools/check/projectCopy.ts';
import { readCommand, readInteger, TEXT } from '../../tools/program/options.ts';
import { orEnd } from '../../tools/program/stop.ts';
import { MUTANTS, type Mutant } from './list.ts';
import { drawBreakages } from './operators.ts';

const WORKERS = Number(process.env.MUTANTS_WORKERS ?? 2);
const TIMEOUT_MS = 300_000;

/** The words of tests/support/endEndless.ts. */
const ENDLESS = 'An endless loop';

const USAGE =
  'Usage: npm run mutants -- [part of a name or file …], or --random <operators> [--seed <number>] [part of a file …]';
/** Tests read pages, and what surrounds the sources. */
const SOURCES =
  '{.biome.json,.ci,.editorconfig,.git{hub,attributes,ignore},.knip.jsonc,.npmrc,.vscode,LICENSE,admin,bench,docs,doors,examples,functions,lib,schemas,tests,tools,*.json,*.md,*.ts,*.yml}';

/** How a run of tests ended. One that must be ended hangs. */
type Outcome = 'passed' | 'failed' | 'hung';

/** Runs Vitest with these words in a group of its own, so that its workers end with it. */
async function vitest(folder: string, ...words: readonly string[]): Promise<Outcome> {
  const command = ['node_modules/vitest/vitest.mjs', ...words, '--run', '--bail', '1', '--reporter', 'dot'];
  const child = spawn(process.execPath, command, { cwd: folder, stdio: ['ignore', 'ignore', 'pipe'], detached: true });
  let isLate = false;
  const end = () => {
    if (child.exitCode === null && child.signalCode === null) process.kill(-(child.pid ?? 0), 'SIGKILL');
  };
  const timer = setTimeout(() => {
    isLate = true;
    end();
  }, TIMEOUT_MS);
  // Vitest would go on with the next file, which may have the same loop.
  child.stderr.on('data', (bytes) => {
    if (String(bytes).includes(ENDLESS)) end();
  });
  const [code] = await once(child, 'exit');
  clearTimeout(timer);
  return isLate ? 'hung' : code === 0 ? 'passed' : 'failed';
}

/** @returns whether the test passes */
const passes = async (folder: string, test: string): Promise<boolean> => (await vitest(folder, test)) === 'passed';

/** Runs something with a file that is broken meanwhile. */
async function whileBroken<Result>(path: string, broken: (source: string) => string, run: () => Promise<Result>) {
  const source = readFileSync(path, 'utf8');
  writeFileSync(path, broken(source));
  try {
    return await run();
  } finally {
    writeFileSync(path, source);
  }
}

const noticedBy = (folder: string, { file, text, replacement, tests }: Mutant): Promise<string | undefined> =>
  // A function, because `$` has a meaning in a replacement text.
  whileBroken(
    join(folder, file),
    (source) => source.replace(text, () => replacement),
    async () => {
      for (const test of tests) if (!(await passes(folder, test))) return test;
      return undefined;
    },
  );

/** The fast tests first. */
const PROJECTS = [['unit'], ['service', 'alone']].map((names) => names.flatMap((name) => ['--project', name]));

/** The first outcome of tests that import the files, other than that they pass. */
async function outcomeOf(folder: string, files: readonly string[]): Promise<Outcome> {
  for (const projects of PROJECTS) {
    const outcome = await vitest(folder, 'related', ...files, ...projects, '--passWithNoTests');
    if (outcome !== 'passed') return outcome;
  }
  return 'passed';
}

const SAYS: Readonly<Record<Outcome, string>> = { passed: 'SURVIVED', failed: 'noticed ', hung: 'HUNG    ' };

/** Breaks in each folder one thing at a time. @returns how many no test has noticed */
async function breakAll<Each>(
  folders: string[],
  all: readonly Each[],
  tell: (folder: string, each: Each) => Promise<boolean>,
) {
  let survivors = 0;
  await inParallel(all, WORKERS, async (each) => {
    const folder = folders.pop() ?? '';
    if (!(await tell(folder, each))) survivors++;
    folders.push(folder);
  });
  console.log(`${all.length - survivors} of ${all.length} breakages were noticed`);
  return survivors;
}

/** How many operators are drawn, with which seed, and parts of the paths of their files: none for all of lib/. */
interface Drawing {
  readonly count: number;
  readonly seed: number;
  readonly asked: readonly string[];
}

/** Breaks operators at random. A break that only ends by the limit of time is not noticed. */
async function breakOperators(folders: string[], { count, seed, asked }: Drawing): Promise<number> {
  console.log(`--random ${count} --seed ${seed} ${asked.join(' ')}`);
  const breakages = drawBreakages(count, seed, asked);
  if (breakages.length === 0) throw new Error(`No operator in a file of ${asked.join(', ')}`);
  const outcome = await outcomeOf(
    folders[0] ?? '',
    breakages.map(({ file }) => file),
  );
  if (outcome !== 'passed') throw new Error(`Related tests without a breakage: ${outcome}`);
  return breakAll(folders, breakages, async (folder, { file, line, from, to, operator, replacement }) => {
    const ended = await whileBroken(
      join(folder, file),
      (source) => source.slice(0, from) + replacement + source.slice(to),
      () => outcomeOf(folder, [file]),
    );
    console.log(`${SAYS[ended]} ${file}:${line}: ${operator} becomes ${replacement || 'nothing'}`);
    return ended === 'failed';
  });
}

/** Breaks what list.yml names. */
async function breakListed(folders: string[], asked: readonly string[]): Promise<number> {
  const chosen = MUTANTS.filter(
    ({ name, file }) => asked.length === 0 || asked.some((part) => name.includes(part) || file.includes(part)),
  );
  if (asked.length === 0) {
    const all = [...new Set(chosen.flatMap(({ tests }) => tests))];
    for (const test of all) {
      if (!(await passes(folders[0] ?? '', test))) throw new Error(`${test} fails without a breakage`);
    }
  }
  return breakAll(folders, chosen, async (folder, mutant) => {
    const test = await noticedBy(folder, mutant);
    console.log(`${test ? 'noticed ' : 'SURVIVED'} ${mutant.file}: ${mutant.name}${test ? ` (${test})` : ''}`);
    return test !== undefined;
  });
}

const drawing = orEnd(() => {
  const { values, positionals } = readCommand({ random: TEXT, seed: TEXT }, USAGE);
  const drawn = values.seed ?? String(Math.floor(systemRuntime.random() * 2 ** 31));
  return {
    count: values.random === undefined ? 0 : readInteger('--random', values.random, 1, USAGE),
    seed: readInteger('--seed', drawn, 0, USAGE),
    asked: positionals,
  };
});
const copies = Array.from({ length: WORKERS }, () => copyProject(SOURCES));
try {
  const folders = copies.map(({ root }) => root);
  const survivors = await (drawing.count > 0 ? breakOperators(folders, drawing) : breakListed(folders, drawing.asked));
  if (survivors > 0) process.exitCode = 1;
} finally {
  for (const copy of copies) copy.remove();
}
