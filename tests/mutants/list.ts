import { readFileSync } from 'node:fs';
import { parse } from 'yaml';

/** A breakage of `list.yml`, and its file. The paths of tests are whole. */
export interface Mutant {
  name: string;
  file: string;
  text: string;
  replacement: string;
  tests: string[];
}

const list: Record<string, Omit<Mutant, 'file'>[]> = parse(readFileSync(new URL('list.yml', import.meta.url), 'utf8'));

export const MUTANTS: readonly Mutant[] = Object.entries(list).flatMap(([file, mutants]) =>
  mutants.map((mutant) => ({ ...mutant, file, tests: mutant.tests.map((test) => `tests/${test}.test.ts`) })),
);
