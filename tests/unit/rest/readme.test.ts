import { expect, test } from 'vitest';
import { runExample } from '../../support/readme.ts';

test('the example of the README answers a request, refuses a parameter, and knows a tag', () => {
  const { shown, said } = runExample('lib/rest/README.md');
  expect(shown).toBe(said);
  expect(said.match(/^\d+/gm)).toEqual(['200', '400', '304']);
});
