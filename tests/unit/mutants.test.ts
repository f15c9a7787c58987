import { existsSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { MUTANTS } from '../mutants/list.ts';

test('each breakage in the list exists in the source, and has tests that should notice it', () => {
  const wrong = MUTANTS.flatMap(({ name, file, text, tests }) => [
    ...(existsSync(file) && readFileSync(file, 'utf8').includes(text) ? [] : [`${file} does not have: ${text}`]),
    ...tests.filter((path) => !existsSync(path)).map((path) => `${name}: there is no ${path}`),
  ]);
  expect(wrong).toEqual([]);
  expect(MUTANTS.length).toBeGreaterThanOrEqual(30);
  expect(MUTANTS.length).toBeLessThanOrEqual(60);
});
