import { expect, test } from 'vitest';
import { areTexts, readStored } from '../../../admin/browser/session/stored.ts';

interface Named {
  name: string;
  tags: string[];
}

const read = (text: string | null) => {
  const storage: Pick<Storage, 'getItem'> = { getItem: () => text };
  return readStored<Named>(storage as Storage, 'any', ({ name, tags }) => areTexts(name, ...tags));
};

test('what is stored is read if it is of its form', () => {
  expect(read('{"name":"Ann","tags":["a"]}')).toEqual({ name: 'Ann', tags: ['a'] });
});

test.each([
  null,
  '',
  '{"name":"Ann","tags":["a"',
  'null',
  '5',
  '[]',
  '{"name":"Ann"}',
  '{"name":null,"tags":[]}',
  '{"name":"Ann","tags":[1]}',
])('what cannot be read, or has another form, is as if it were not there: %s', (text) => {
  expect(read(text)).toBeUndefined();
});
