import { badParameter, ServiceError } from '../../errors.ts';

/** The place of the next change in the feed. Only this service makes and reads its text. */
export interface FeedToken {
  /** The name of the feed, from the head. Empty if there was none yet. */
  feed: string;
  epoch: number;
  /** In the batch of the epoch. */
  place: number;
  /** All changes that were kept on earlier days are before this place. In Unix milliseconds. */
  since: number;
}

/** Their lengths keep numbers exact. */
export const TOKEN =
  /^(?<feed>[0-9a-z]{0,6})-(?<epoch>[0-9a-z]{1,10})-(?<place>[0-9a-z]{1,5})-(?<since>[0-9a-z]{1,7})$/;

const RADIX = 36;
const SECOND_MS = 1_000;

export const writeToken = ({ feed, epoch, place, since }: FeedToken): string =>
  [feed, ...[epoch, place, Math.floor(since / SECOND_MS)].map((number) => number.toString(RADIX))].join('-');

/** @throws {ServiceError} 400 for a text that this service has not made */
export function readToken(text: string): FeedToken {
  const { feed = '', epoch, place, since } = TOKEN.exec(text)?.groups ?? {};
  if (epoch === undefined || place === undefined || since === undefined)
    throw badParameter('after must be "now", or the next of an earlier response');
  const [epochs, places, seconds] = [epoch, place, since].map((digits) => Number.parseInt(digits, RADIX));
  return { feed, epoch: epochs ?? 0, place: places ?? 0, since: (seconds ?? 0) * SECOND_MS };
}

/** Changes after a token are no longer kept, or were never kept. */
export const isGone = (): ServiceError =>
  new ServiceError(
    'changes-gone',
    'Changes after this token are no longer kept: take a token with after=now, then read all users again',
  );
