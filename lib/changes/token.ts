import type { ServiceError } from '../ground/index.ts';
import { badParameter, userError } from '../users/errors.ts';
import type { FeedPlace } from './items.ts';

/** The place of the next change in the feed. Only this service makes and reads its text. */
export interface FeedToken extends FeedPlace {
  /** The name of the feed, from the head. Empty if there was none yet. */
  feed: string;
}

/** Their lengths keep numbers exact. */
export const TOKEN =
  /^(?<feed>[0-9a-z]{0,6})-(?<epoch>[0-9a-z]{1,10})-(?<place>[0-9a-z]{1,5})-(?<claimedAt>[0-9a-z]{1,8})$/;

const RADIX = 36;

export const writeToken = ({ feed, epoch, place, claimedAt }: FeedToken): string =>
  [feed, ...[epoch, place, claimedAt].map((number) => number.toString(RADIX))].join('-');

/** @param name of the parameter @throws {ServiceError} 400 for a text that this service has not made */
export function readToken(text: string, name = 'after'): FeedToken {
  const { feed = '', epoch, place, claimedAt } = TOKEN.exec(text)?.groups ?? {};
  if (epoch === undefined || place === undefined || claimedAt === undefined)
    throw badParameter(`${name} must be "now", or the next of an earlier response`);
  const numberOf = (digits: string) => Number.parseInt(digits, RADIX);
  return { feed, epoch: numberOf(epoch), place: numberOf(place), claimedAt: numberOf(claimedAt) };
}

/** Changes after a token are no longer kept, or were never kept. */
export const isGone = (): ServiceError =>
  userError(
    'changes-gone',
    'Changes at this token are no longer kept: begin with before=now, or with after=now and then read all users again',
  );
