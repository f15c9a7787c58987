/** The questions of filters to the replica. */
import type { Ask, Condition, Either, Mixed, Question, Words } from '../columns/index.ts';
import { mailboxColumns } from './columns.ts';
import { dayIn } from './dates.ts';
import { type Filter, type Filters, filterNamed, isBound, isOfPart, PARTS, wordsOf } from './filters.ts';
import { firstIdAt, MAX_ID } from './ids.ts';
import { foldMailbox } from './mailbox.ts';
import { isOfAttribute, kindOf, NUMBER, WORD_FIELDS } from './user.ts';

/** The values of a text that is compared with attributes: itself, and a number or a boolean that is written like that. */
function meantBy(text: Mixed): readonly Mixed[] {
  if (text === 'true' || text === 'false') return [text, text === 'true'];
  return NUMBER.test(String(text)) ? [text, Number(text)] : [text];
}

/** A bound of an attribute that is a date, or a longer or shorter moment: texts that begin like one and are none, nobody asks for. */
const DATED = /^\d{4}-/;

/** The question of a filter about a field or an attribute. */
function askOf({ property, asks }: Filter, given: Mixed | readonly Mixed[]): Ask {
  if (typeof given === 'boolean') return { missing: given };
  const all = [given].flat() as Mixed[];
  if (isBound(asks)) {
    const of = typeof given === 'number' ? given : String(given);
    return { bound: asks, of, ...(DATED.test(String(of)) && { among: dayIn }) };
  }
  if (isOfPart(asks)) return { substrings: all.map(String), at: PARTS[asks].at };
  const values = isOfAttribute(property) ? all.flatMap(meantBy) : all;
  return asks === 'not' ? { none: values } : { any: values };
}

/** Of an address another text may be the same mailbox: then columns have it that are derived. */
function conditionsOf(field: string, ask: Ask): (Condition | Either)[] {
  if (kindOf(field) !== 'address' || !('any' in ask || 'none' in ask)) return [{ field, ask }];
  const mailboxes = ('any' in ask ? ask.any : ask.none).map((value) => foldMailbox(String(value)));
  const fields = mailboxColumns(field, mailboxes);
  if ('any' in ask) return [{ fields, any: mailboxes }];
  return fields.map((each) => ({ field: each, ask: { none: mailboxes } }));
}

/** The ids of users who were created at, after or before a moment: `from` is included, `to` is not. */
function idsOf(asks: Filter['asks'], moment: number): { from?: number; to?: number } {
  const time = asks === 'gte' || asks === 'lt' ? Math.ceil(moment) : Math.floor(moment) + 1;
  const edge = Math.min(Math.max(firstIdAt(time), 0), MAX_ID);
  return asks === 'gte' || asks === 'gt' ? { from: edge } : { to: edge };
}

/** Both questions in one: what meets each of them. */
function narrowed(question: Question, { from = 0, to = Number.POSITIVE_INFINITY }: Question): Question {
  return {
    ...question,
    from: Math.max(from, question.from ?? 0),
    to: Math.min(to, question.to ?? Number.POSITIVE_INFINITY),
  };
}

/** The question of some filters to the replica. */
export function questionOf(filters: Filters): Question {
  const where: (Condition | Either | Words)[] = [];
  let question: Question = { where };
  for (const [name, given] of Object.entries(filters)) {
    const filter = filterNamed(name);
    if (!filter || given === undefined) continue;
    const { property, asks } = filter;
    if (property === 'createdAt') question = narrowed(question, idsOf(asks, Number(given)));
    else if (property === 'any') where.push({ fields: WORD_FIELDS, words: wordsOf(String(given)) });
    else if (property !== 'id') where.push(...conditionsOf(property, askOf(filter, given)));
    else question = { ...question, [asks === 'is' ? 'ids' : 'notIds']: [given].flat() };
  }
  return question;
}

/** A filter with a bound that only dates meet. */
const isDated = ([name, given]: readonly [string, unknown]): boolean =>
  isBound(filterNamed(name)?.asks) && DATED.test(String(given));

/**
 * Two questions about the users who meet all filters but those with bounds that only dates meet: who has a value in the attributes of these
 * bounds, and who has a date there. Undefined if there is no such bound.
 */
export function datesAsked(filters: Filters): Record<'withValues' | 'withDates', Question> | undefined {
  const dated = Object.entries(filters).filter(isDated);
  if (dated.length === 0) return undefined;
  const fields = [...new Set(dated.flatMap(([name]) => filterNamed(name)?.property ?? []))];
  const others = questionOf(Object.fromEntries(Object.entries(filters).filter((each) => !isDated(each))));
  const asking = (ask: Ask): Question => ({
    ...others,
    where: [...(others.where ?? []), ...fields.map((field) => ({ field, ask }))],
  });
  return { withValues: asking({ missing: false }), withDates: asking({ bound: 'gte', of: '', among: dayIn }) };
}

/** The question of some filters about users with higher ids. */
export const questionAfter = (filters: Filters, id: number): Question =>
  narrowed(questionOf(filters), { from: id + 1 });
