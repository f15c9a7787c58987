import { expect, test } from 'vitest';
import { runExample } from '../../support/readme.ts';

test('the example of the README counts what calls cost, and begins none without time', () => {
  const { shown, said } = runExample('lib/ground/README.md');
  expect(shown).toBe(said);
  expect(said).toContain('503');
});
