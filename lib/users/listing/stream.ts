import { isExactField } from '../fields.ts';
import { exactText, sortText, valueOfText } from '../keys.ts';
import { both } from '../lists.ts';
import { compareCodePoints } from '../text.ts';
import type { User } from '../user.ts';
import {
  type Criteria,
  candidatesOf,
  idPrefixOf,
  matcherOf,
  orderOf,
  orderWithin,
  type UserQuery,
  withText,
  withValues,
} from './criteria.ts';
import { hasOwnOrder, inDirection, inOrder, type SortKey, totalOrder } from './order.ts';
import { scan } from './scan.ts';
import type { View } from './view.ts';

/** Smaller pages let a client have the first users earlier. */
const USERS_PER_PAGE = 1_000;

export interface Streaming {
  view: View;
  /** Reads the journal again if it is old. @returns whether it did */
  renew: () => Promise<boolean>;
}

/**
 * All matching users in order, read as the caller consumes them. A run of equal values that is too long to be sorted in memory is
 * read again, in the rest of the order.
 */
export async function* streamAll(
  streaming: Streaming,
  criteria: Criteria,
  given: UserQuery['order'],
): AsyncGenerator<User> {
  const { view, renew } = streaming;
  const order = totalOrder(orderWithin(criteria, given));
  const [lead, ...rest] = order;
  if (isExactField(lead.property) && criteria.values[lead.property]) {
    const texts = (criteria.values[lead.property] ?? []).map(exactText).sort(compareCodePoints);
    for (const text of inDirection(texts, lead)) {
      yield* streamAll(streaming, withValues(criteria, lead.property, [valueOfText(text)]), order);
    }
    return;
  }
  const candidate = candidatesOf(criteria).find(
    ({ index, isById, spans }) =>
      spans.length <= 1 && (index.order === orderOf(lead.property) || (orderOf(lead.property) === 'id' && isById)),
  );
  let span = candidate?.spans[0];
  const matches = matcherOf(criteria);
  const isSorted = hasOwnOrder(order);
  while (span) {
    const here = span;
    span = undefined;
    let run: User[] = [];
    let text: string | undefined;
    reading: for await (const users of scan(
      view,
      here,
      {
        direction: lead.direction,
        expected: USERS_PER_PAGE,
        most: USERS_PER_PAGE,
        unitsLeft: () => Number.POSITIVE_INFINITY,
      },
      renew,
    )) {
      for (const user of users.filter(matches)) {
        const next = sortText(user, lead.property);
        if (next !== text) {
          yield* inOrder(run, rest);
          run = [];
          text = next;
        }
        if (isSorted) {
          yield user;
          continue;
        }
        run.push(user);
        if (run.length <= view.database.sizes.streamedRun) continue;
        const ofRun = withText(criteria, lead.property, text);
        yield* streamAll(streaming, ofRun, rest as unknown as [SortKey, ...SortKey[]]);
        const { from = '', to = '' } = ofRun.ranges[orderOf(lead.property) ?? 'id'] ?? {};
        const prefix = orderOf(lead.property) === 'id' ? idPrefixOf(here) : '';
        run = [];
        span = {
          list: here.list,
          ...both(here, lead.direction === 'asc' ? { from: prefix + to } : { to: prefix + from }),
        };
        break reading;
      }
    }
    yield* inOrder(run, rest);
  }
}
