import { expect, test } from 'vitest';
import { groupsIn, wordsIn } from '../../../../lib/columns/asked/words.ts';
import { pageOf, replicaFrom } from '../../../../lib/columns/index.ts';

const groupsOf = (words: readonly string[]) =>
  groupsIn(wordsIn({ where: [{ fields: ['name'], words }] })).map((each) => each.words);

test('words are looked for eight at a time, first those with a part that tokens have, and rows are passed for no others', () => {
  const words = [...'abcdefghi'];
  expect(groupsOf(['a'])).toEqual([['a']]);
  expect(groupsOf(words)).toEqual([words.slice(0, 8), ['i']]);
  expect(groupsOf(['1', 'a', '1'])).toEqual([['a'], ['1']]);
});

test('a rare word is in one of two texts that fold alike', () => {
  const kinds = { name: { name: 'initial', fold: (text: string) => text.slice(0, 1) } };
  const rows = ['mary', 'mike', 'ann'].map((name, i) => ({ id: i + 1, name }));
  const replica = replicaFrom(kinds, rows, { few: 2, bins: 4, cells: 4 });
  const question = { where: [{ fields: ['name'], words: ['mike'] }] };
  expect(pageOf(replica, question, [{ property: 'id', descending: false }], 0, 9)).toMatchObject({
    total: 1,
    rows: [{ name: 'mike' }],
  });
});
