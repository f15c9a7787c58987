import { expect, test } from 'vitest';
import { runExample } from '../../support/readme.ts';

test('the example of the README writes all or nothing, and reads a range in pages', () => {
  const { shown, said } = runExample('lib/dynamodb/README.md');
  expect(shown).toBe(said);
  expect(said.split('\n').length).toBeGreaterThan(5);
});
