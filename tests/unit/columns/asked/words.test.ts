import { expect, test } from 'vitest';
import { groupsIn, wordsIn } from '../../../../lib/columns/asked/words.ts';

const groupsOf = (words: readonly string[]) =>
  groupsIn(wordsIn({ where: [{ fields: ['name'], words }] })).map((each) => each.words);

test('words are looked for eight at a time, first those with a part that tokens have, and rows are passed for no others', () => {
  const words = [...'abcdefghi'];
  expect(groupsOf(['a'])).toEqual([['a']]);
  expect(groupsOf(words)).toEqual([words.slice(0, 8), ['i']]);
  expect(groupsOf(['1', 'a', '1'])).toEqual([['a'], ['1']]);
});
