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

test('a word with a NUL, or half a sign, is in no text', () => {
  const rows = Array.from({ length: 9 }, (_, i) => ({
    id: i + 1,
    name: i === 0 ? 'a@rare.example' : 'Ann',
    ...(i === 1 && { note: 'abcd\ufffd' }),
  }));
  const replica = replicaFrom({ name: 'text', note: 'text' }, rows, { few: 1, bins: 4, cells: 4 });
  for (const word of ['@rare.example\0', '@rare.example\0a', 'abcd\ud800']) {
    const question = { where: [{ fields: ['name', 'note'], words: [word] }] };
    expect(pageOf(replica, question, [{ property: 'id', descending: false }], 0, 9).total).toBe(0);
  }
});

test('where few rows are asked, these are asked one by one, and no tokens are made', () => {
  const rows = Array.from({ length: 5_000 }, (_, i) => ({ id: i + 1, name: `Ann Lee${i}`, team: String(i % 70) }));
  const replica = replicaFrom({ name: 'text', team: 'text' }, rows);
  const words = { fields: ['name'], words: ['lees'] };
  for (const question of [
    { from: 100, to: 175, where: [words] },
    { where: [words, { field: 'team', ask: { any: ['7'] } }] },
  ])
    expect(pageOf(replica, question, [{ property: 'id', descending: false }], 0, 9).total).toBe(0);
  expect(replica.view.overlay.base.column('name').isTokenized).toBe(false);
});
