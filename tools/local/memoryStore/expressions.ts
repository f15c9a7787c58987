/** DynamoDB's expressions, as far as the service uses them: each becomes an expression of JavaScript. Anything else throws. */
import { invalid } from './errors.ts';

export type Item = Record<string, unknown>;

/** The members of a request that an expression refers to. */
export interface References {
  ExpressionAttributeNames?: Record<string, string> | undefined;
  ExpressionAttributeValues?: Record<string, unknown> | undefined;
}

const isLeadSurrogate = (unit: number): boolean => unit >= 0xd800 && unit < 0xdc00;

/** Compares keys like DynamoDB: numbers, and texts by their UTF-8 bytes, which is the order of their code points. */
export function compare(a: unknown, b: unknown): number {
  if (typeof a === 'number' && typeof b === 'number') return a - b;
  if (a === b) return 0;
  const [left, right] = [String(a), String(b)];
  const length = Math.min(left.length, right.length);
  let at = 0;
  while (at < length && left.charCodeAt(at) === right.charCodeAt(at)) at++;
  if (at > 0 && isLeadSurrogate(left.charCodeAt(at - 1))) at--;
  return (left.codePointAt(at) ?? -1) - (right.codePointAt(at) ?? -1);
}

const COMPARISONS: Record<string, (difference: number) => boolean> = {
  '=': (difference) => difference === 0,
  '<>': (difference) => difference !== 0,
  '<': (difference) => difference < 0,
  '<=': (difference) => difference <= 0,
  '>': (difference) => difference > 0,
  '>=': (difference) => difference >= 0,
};

const FUNCTIONS = {
  attribute_exists: (value: unknown) => value !== undefined,
  attribute_not_exists: (value: unknown) => value === undefined,
  /** A comparison of values of two types, or with no value, does not hold. */
  holds: (a: unknown, operator: string, b: unknown) =>
    a !== undefined && typeof a === typeof b && (COMPARISONS[operator]?.(compare(a, b)) ?? false),
  /** A member of the item itself: the members that JavaScript adds to every object are no attributes. */
  own: (item: unknown, name: string | undefined) =>
    name !== undefined && Object.hasOwn(Object(item), name) ? (item as Item)[name] : undefined,
};

type Evaluate = (item: Item, of: Required<References>, functions: typeof FUNCTIONS) => unknown;

const WORDS = new Map([
  ['AND', '&&'],
  ['OR', '||'],
  ['NOT', '!'],
]);

function translated(token: string): string {
  if (token.startsWith("'")) return token;
  if (token.startsWith(':')) return `of.ExpressionAttributeValues["${token}"]`;
  if (token.startsWith('#')) {
    const names = token.split('.').map((name) => `of.ExpressionAttributeNames["${name}"]`);
    return names.reduce((item, name) => `functions.own(${item}, ${name})`, 'item');
  }
  return (
    WORDS.get(token) ?? (Object.hasOwn(FUNCTIONS, token) ? `functions.${token}` : `functions.own(item, "${token}")`)
  );
}

/** All that an expression of the service can have. Quotes, brackets and the like would be code. */
const PLAIN = /^[\w#:.,<>=() ]+$/;

const compiled = new Map<string, Evaluate>();

function evaluate(expression: string, item: Item, references: References): unknown {
  let known = compiled.get(expression);
  if (!known) {
    if (!PLAIN.test(expression)) throw invalid(`The store in memory does not know ${expression}`);
    const code = expression
      .replaceAll(/(\S+) BETWEEN (\S+) AND (\S+)/g, '($1 >= $2 AND $1 <= $3)')
      .replaceAll(/([#:]?[\w.#]+) (<=|>=|<>|[=<>]) ([#:]?\w+)/g, "holds($1, '$2', $3)")
      .replaceAll(/'[^']+'|[#:]?\w+(?:\.#\w+)*/g, translated);
    known = new Function('item', 'of', 'functions', `return ${code}`) as Evaluate;
    compiled.set(expression, known);
  }
  const { ExpressionAttributeNames = {}, ExpressionAttributeValues = {} } = references;
  return known(item, { ExpressionAttributeNames, ExpressionAttributeValues }, FUNCTIONS);
}

/** Whether a condition holds for an item; `{}` stands for none. */
export const holds = (expression: string | undefined, item: Item, references: References): boolean =>
  expression === undefined || evaluate(expression, item, references) === true;

/** The item after an update: `SET a = :b, c = :d, …` and `REMOVE a, …`. */
export function updated(expression: string, item: Item, references: References): Item {
  const result = { ...item };
  for (const [, action, list = ''] of expression.matchAll(/(SET|REMOVE) (.+?)(?= SET | REMOVE |$)/g)) {
    for (const part of list.split(', ')) {
      const [name = '', value = ''] = part.split(' = ');
      const attribute = name.startsWith('#') ? references.ExpressionAttributeNames?.[name] : name;
      if (attribute === undefined) throw new Error(`${name} has no name`);
      if (action === 'SET') result[attribute] = evaluate(value, item, references);
      else delete result[attribute];
    }
  }
  return result;
}
