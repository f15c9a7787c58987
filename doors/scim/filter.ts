/** Filters of SCIM (RFC 7644, section 3.4.2.2). */
import { ScimError } from './answers.ts';

/** A comparison: `op` is one of SCIM, or `missing`, the opposite of `pr`. */
export interface Test {
  is: 'test';
  path: string;
  op: string;
  value: string | number | boolean | null;
}

/** Some value of a list meets a filter of its members. */
export interface Some {
  is: 'some';
  path: string;
  of: Filter;
}

export type Filter = Test | Some | { is: 'and' | 'or'; of: [Filter, Filter] };

const MAX_LENGTH = 4_000;
const MAX_DEPTH = 20;

const TOKENS = /"(?:[^"\\]|\\.)*"|[()[\]]|[^\s()[\]"]+|"/g;
const OPERATORS = new Set(['eq', 'ne', 'co', 'sw', 'ew', 'gt', 'ge', 'lt', 'le', 'pr']);
/** A bound has an opposite only where nobody lacks the value, and the API has no opposite of parts of texts. */
const OPPOSITES = new Map([
  ['eq', 'ne'],
  ['ne', 'eq'],
  ['pr', 'missing'],
  ['missing', 'pr'],
]);

export const invalidFilter = (detail: string) => new ScimError(400, detail, 'invalidFilter');

function literalOf(token = 'nothing'): Test['value'] {
  try {
    const value = JSON.parse(token);
    if (value === null || typeof value !== 'object') return value;
  } catch {}
  throw invalidFilter(`The filter compares with ${token}: a text in quotes, a number, true, false or null is expected`);
}

/** `not` goes down to the comparisons. */
function opposite(filter: Filter): Filter {
  if (filter.is === 'some') throw invalidFilter('This service does not support "not" of values in brackets');
  if (filter.is !== 'test')
    return { is: filter.is === 'and' ? 'or' : 'and', of: [opposite(filter.of[0]), opposite(filter.of[1])] };
  const op = OPPOSITES.get(filter.op);
  if (op === undefined) throw invalidFilter(`This service does not support "not" of "${filter.op}"`);
  return { ...filter, op };
}

/** @throws {ScimError} `invalidFilter` */
export function parseFilter(text: string): Filter {
  if (text.length > MAX_LENGTH) throw invalidFilter(`A filter has at most ${MAX_LENGTH} characters`);
  const tokens: string[] = text.match(TOKENS) ?? [];
  let depth = 0;
  const next = (word: string): boolean => tokens[0]?.toLowerCase() === word && tokens.shift() !== undefined;
  const expect = (mark: string) => {
    if (!next(mark)) throw invalidFilter(`The filter lacks a "${mark}"`);
  };
  const inside = (close: string): Filter => {
    if (++depth > MAX_DEPTH) throw invalidFilter(`A filter has at most ${MAX_DEPTH} brackets in each other`);
    const filter = any();
    depth--;
    expect(close);
    return filter;
  };
  const test = (path: string): Test => {
    const op = tokens.shift()?.toLowerCase() ?? '';
    if (!OPERATORS.has(op)) throw invalidFilter(`The filter has the unknown operator "${op}"`);
    const value = op === 'pr' ? null : literalOf(tokens.shift());
    // Nothing is the same as no value.
    const isNull = value === null && (op === 'eq' || op === 'ne');
    return { is: 'test', path, op: isNull ? (op === 'eq' ? 'missing' : 'pr') : op, value };
  };
  const one = (): Filter => {
    if (next('not')) {
      expect('(');
      return opposite(inside(')'));
    }
    if (next('(')) return inside(')');
    const path = tokens.shift() ?? '';
    if (!/^[a-z][\w.:$-]*$/i.test(path)) throw invalidFilter(`The filter has the invalid attribute "${path}"`);
    if (!next('[')) return test(path);
    // `emails[type eq "work"].value eq "x"`: both hold of the same value.
    const filter = inside(']');
    const isMore = tokens[0]?.startsWith('.');
    return {
      is: 'some',
      path,
      of: isMore ? { is: 'and', of: [filter, test(tokens.shift()?.slice(1) ?? '')] } : filter,
    };
  };
  const joined = (word: 'and' | 'or', each: () => Filter) => () => {
    let filter = each();
    while (next(word)) filter = { is: word, of: [filter, each()] };
    return filter;
  };
  const any = joined('or', joined('and', one));
  const whole = any();
  if (tokens.length > 0) throw invalidFilter(`The filter has an unexpected "${tokens[0]}"`);
  return whole;
}
