/**
 * `npm run mutants [-- part of a name or file …]` breaks a copy of the source at one place after another, and checks whether a
 * test fails. It prints the breakages that no test noticed. If there are any, the exit code is 1.
 */
import { spawn } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { inParallel } from '../../lib/ground/index.ts';
import { copyProject } from '../../tools/check/projectCopy.ts';
import { readArguments } from '../../tools/program/options.ts';
import { orEnd } from '../../tools/program/stop.ts';
import { MUTANTS, type Mutant } from './list.ts';

const WORKERS = Number(process.env.MUTANTS_WORKERS ?? 2);
const TIMEOUT_MS = 300_000;

const SOURCES = '{admin,bench,docs,functions,lib,schemas,tests,tools,*.json,*.ts,*.yml}';

/** @returns whether the test passes */
function passes(folder: string, test: string): Promise<boolean> {
  const command = ['node_modules/vitest/vitest.mjs', 'run', '--bail', '1', '--reporter', 'dot', test];
  const child = spawn(process.execPath, command, { cwd: folder, stdio: 'ignore', timeout: TIMEOUT_MS });
  return new Promise((resolve) => child.once('exit', (code) => resolve(code === 0)));
}

async function noticedBy(folder: string, { file, text, replacement, tests }: Mutant): Promise<string | undefined> {
  const path = join(folder, file);
  const source = readFileSync(path, 'utf8');
  // A function, because `$` has a meaning in a replacement text.
  writeFileSync(
    path,
    source.replace(text, () => replacement),
  );
  try {
    for (const test of tests) if (!(await passes(folder, test))) return test;
    return undefined;
  } finally {
    writeFileSync(path, source);
  }
}

const asked = orEnd(() => readArguments('Usage: npm run mutants -- [part of a name or file …]'));
const chosen = MUTANTS.filter(
  ({ name, file }) => asked.length === 0 || asked.some((part) => name.includes(part) || file.includes(part)),
);
const copies = Array.from({ length: WORKERS }, () => copyProject(SOURCES));
try {
  const folders = copies.map(({ root }) => root);
  if (asked.length === 0) {
    const all = [...new Set(chosen.flatMap(({ tests }) => tests))];
    for (const test of all) {
      if (!(await passes(folders[0] ?? '', test))) throw new Error(`${test} fails without a breakage`);
    }
  }
  const survivors: Mutant[] = [];
  await inParallel(chosen, WORKERS, async (mutant) => {
    const folder = folders.pop() ?? '';
    const test = await noticedBy(folder, mutant);
    folders.push(folder);
    if (!test) survivors.push(mutant);
    console.log(`${test ? 'noticed ' : 'SURVIVED'} ${mutant.file}: ${mutant.name}${test ? ` (${test})` : ''}`);
  });
  console.log(`${chosen.length - survivors.length} of ${chosen.length} breakages were noticed`);
  if (survivors.length > 0) process.exitCode = 1;
} finally {
  for (const copy of copies) copy.remove();
}
