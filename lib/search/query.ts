/** A question as a query of the engine. */
import {
  type Ask,
  askedOf,
  type BoundAsk,
  canBeWord,
  encoded,
  folded,
  idOf,
  type Kind,
  kindOf,
  type Mixed,
  plain,
  type Question,
  substringsIn,
  type Words,
} from '../columns/index.ts';
import { at, boundKey, END, GRAM, lettersOf, type Shape, sortKey, WORDS } from './fields.ts';

export type Query = Readonly<Record<string, unknown>>;

const oneOf = (should: readonly Query[]): Query => ({ bool: { should, minimum_should_match: 1 } });
const not = (...must_not: readonly Query[]): Query => ({ bool: { must_not } });
const has = (field: string): Query => ({ exists: { field } });

/** `*`, `?` and `\` stand for themselves behind a `\`. */
const literal = (text: string): string => text.replace(/[\\*?]/g, '\\$&');

/** The field of which each row with a value of a column has one. */
const presence = (kind: Kind, column: string): string => at(kind === 'number' ? 'n' : 's', column);

/** The place of a substring: where it begins a text, ends it, or stands anywhere. */
type Place = 'startsWith' | 'endsWith' | 'includes';

function substring(column: string, place: Place, text: string): Query {
  if (text === '') return has(at('w', column));
  const gram = place === 'endsWith' ? text + END : text;
  if (place !== 'startsWith' && lettersOf(gram).length <= GRAM) return { term: { [at('g', column)]: gram } };
  const [before, behind] = [place === 'startsWith' ? '' : '*', place === 'endsWith' ? '' : '*'];
  return { wildcard: { [at('w', column)]: { value: before + literal(text) + behind } } };
}

/** One of some values. */
function isOne(kind: Kind, column: string, values: readonly Mixed[]): Query {
  if (kind === 'mixed') return { terms: { [at('v', column)]: values.map(encoded) } };
  if (kind === 'number') return { terms: { [at('n', column)]: values.filter((each) => typeof each === 'number') } };
  const texts = values.filter((each) => typeof each === 'string');
  return { terms: { [at('s', column)]: texts.map((each) => sortKey(kind, each)) } };
}

/** Of a column that is no member's, only numbers are compared. */
function isBeyond(kind: Kind, column: string, { bound, of, among }: BoundAsk): Query {
  if (typeof of === 'number') return { range: { [at('n', column)]: { [bound]: of } } };
  if (kind !== 'mixed') return { range: { [at('s', column)]: { [bound]: folded(kind, of) } } };
  return { range: { [at(among ? 't' : 'b', column)]: { [bound]: boundKey(of) } } };
}

function asks(kind: Kind, column: string, ask: Ask): Query {
  if ('missing' in ask) return ask.missing ? not(has(presence(kind, column))) : has(presence(kind, column));
  if ('any' in ask) return isOne(kind, column, ask.any);
  if ('none' in ask) return not(isOne(kind, column, ask.none));
  if ('substrings' in ask)
    return oneOf(substringsIn(kind, ask.substrings).map((text) => substring(column, ask.at, text)));
  return isBeyond(kind, column, ask);
}

/** Each word is in one of the fields, or is the id. */
const hasWords = ({ words }: Words): Query[] =>
  words.map((given) => {
    const word = plain(given);
    const id = idOf(word);
    return oneOf([
      ...(id !== undefined && Number.isSafeInteger(id) ? [{ term: { id } }] : []),
      ...(canBeWord(word) ? [substring(WORDS, 'includes', word)] : []),
    ]);
  });

/** The rows that meet a question. @param without ids of others */
export function queryOf({ kinds }: Shape, question: Question, without: readonly number[] = []): Query {
  const { where = [], ids, notIds = [], from, to } = question;
  const filter = where.flatMap((each) => {
    if ('words' in each) return hasWords(each);
    const { fields, ask } = askedOf(each);
    return oneOf(fields.map((column) => asks(kindOf(kinds, column) ?? 'text', column, ask)));
  });
  if (ids) filter.push({ terms: { id: ids } });
  const range = { ...(from !== undefined && { gte: from }), ...(Number.isFinite(to) && { lt: to }) };
  if (Object.keys(range).length > 0) filter.push({ range: { id: range } });
  const others = [...notIds, ...without];
  return { bool: { filter, ...(others.length > 0 && { must_not: [{ terms: { id: others } }] }) } };
}
