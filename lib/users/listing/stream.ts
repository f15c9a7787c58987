import { isExactField } from '../fields.ts';
import { exactText, sortText, valueOfText } from '../keys.ts';
import type { Span } from '../lists.ts';
import { compareCodePoints } from '../text.ts';
import type { User } from '../user.ts';
import { candidateInOrder, partPast } from './candidates.ts';
import { type Criteria, matcherOf, withText, withValue } from './criteria.ts';
import { hasOwnOrder, inDirection, type SortKey, sortedBy } from './order.ts';
import { type Query, queryOf } from './query.ts';
import { scan } from './scan.ts';
import type { View } from './view.ts';

/** Smaller pages let a client have the first users earlier. */
const USERS_PER_PAGE = 1_000;

export interface Streaming {
  view: View;
  /** Reads the journal again if it is old. @returns whether it did */
  renew: () => Promise<boolean>;
}

/** The matching users of a span, in pages. */
async function* pagesOf({ view, renew }: Streaming, span: Span, { criteria, order }: Query): AsyncGenerator<User[]> {
  const size = { expected: USERS_PER_PAGE, most: USERS_PER_PAGE, untilUnits: Number.POSITIVE_INFINITY };
  const matches = matcherOf(criteria);
  for await (const page of scan(view, span, { direction: order[0].direction, ...size, renew })) {
    yield page.filter(matches);
  }
}

/**
 * The users of a span, in runs of the same text in the first property. A run ends early when it is too long for the memory: then it is
 * read again, in the rest of the order, and what is after it.
 */
async function* runsOf(streaming: Streaming, span: Span, query: Query): AsyncGenerator<User> {
  const [{ property, direction }, ...rest] = query.order;
  let [run, text] = [[] as User[], ''];
  for await (const page of pagesOf(streaming, span, query)) {
    for (const user of page) {
      const next = sortText(user, property);
      if (next !== text) {
        yield* sortedBy(run, rest);
        [run, text] = [[], next];
      }
      run.push(user);
      if (run.length <= streaming.view.database.sizes.streamedRun) continue;
      yield* streamAll(streaming, withText(query.criteria, property, text), rest);
      yield* runsOf(streaming, partPast(span, property, text, direction), query);
      return;
    }
  }
  yield* sortedBy(run, rest);
}

/** All matching users in order, read as the caller consumes them. */
export async function* streamAll(
  streaming: Streaming,
  criteria: Criteria,
  given: readonly SortKey[],
): AsyncGenerator<User> {
  const query = queryOf(criteria, given);
  const [{ property, direction }] = query.order;
  const values = isExactField(property) ? criteria.wanted[property] : undefined;
  if (isExactField(property) && values) {
    const texts = values.map(exactText).sort(compareCodePoints);
    for (const text of inDirection(texts, direction)) {
      yield* streamAll(streaming, withValue(criteria, property, valueOfText(text)), query.order);
    }
    return;
  }
  const span = candidateInOrder(query.candidates, property)?.spans[0];
  if (!span) return;
  if (!hasOwnOrder(query.order)) yield* runsOf(streaming, span, query);
  else for await (const page of pagesOf(streaming, span, query)) yield* page;
}
