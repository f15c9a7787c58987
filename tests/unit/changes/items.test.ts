import { describe, expect, test } from 'vitest';
import { type FeedToken, readToken, writeToken } from '../../../lib/changes/items.ts';

describe('a token of the feed', () => {
  test.each<[text: string, token: FeedToken]>([
    ['-0-0-0', { feed: '', epoch: 0, place: 0, claimedAt: 0 }],
    ['x7k2-a-z-mubc5xc0', { feed: 'x7k2', epoch: 10, place: 35, claimedAt: 1_790_000_640_000 }],
    [
      'zzzzzz-zzzzzzzzzz-zzzzz-zzzzzzzz',
      { feed: 'zzzzzz', epoch: 36 ** 10 - 1, place: 36 ** 5 - 1, claimedAt: 36 ** 8 - 1 },
    ],
  ])('%s says the feed, the epoch, the place in it, and the moment', (text, token) => {
    expect(writeToken(token)).toBe(text);
    expect(readToken(text)).toEqual(token);
  });

  test.each([
    ...['', 'now', 'x', 'a-1-1', 'a-1--1', 'a--1-1', 'a-1-1-', 'A-1-1-1', 'a-1-1-1 ', 'a-1-1-1-1'],
    ...['aaaaaaa-1-1-1', 'a-1-1-111111111'],
  ])('is refused if this service has not made it: "%s"', (text) => {
    const message = 'after must be "now", or the next of an earlier response';
    expect(() => readToken(text)).toThrow(expect.objectContaining({ status: 400, message }));
  });
});
