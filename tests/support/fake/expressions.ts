/** DynamoDB's expressions, as far as the service uses them. Anything else throws. */

export type Item = Record<string, unknown>;

/** The members of a request that an expression refers to. */
export interface References {
  ExpressionAttributeNames?: Record<string, string> | undefined;
  ExpressionAttributeValues?: Record<string, unknown> | undefined;
}

type Operand = (item: Item, references: References) => unknown;
type Condition = (item: Item, references: References) => boolean;

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

const FUNCTIONS: Record<string, (value: unknown) => boolean> = {
  attribute_exists: (value) => value !== undefined,
  attribute_not_exists: (value) => value === undefined,
};

const TOKEN = /\s*(<=|>=|<>|[=<>(),]|[#:]?[\w-]+)/gy;

function createParser(expression: string) {
  const tokens = [...expression.matchAll(TOKEN)].map(([, token = '']) => token);
  if (tokens.join('') !== expression.replaceAll(/\s/g, '')) throw new Error(`Not an expression: ${expression}`);
  let at = 0;
  const next = () => tokens[at++] ?? '';
  const take = (token: string): boolean => {
    if (tokens[at] !== token) return false;
    at++;
    return true;
  };
  const need = (token: string) => {
    if (!take(token)) throw new Error(`No ${token} in ${expression}`);
  };

  function operand(): Operand {
    const token = next();
    if (token.startsWith(':')) return (_, { ExpressionAttributeValues: values }) => values?.[token];
    return (item, { ExpressionAttributeNames: names }) => item[token.startsWith('#') ? (names?.[token] ?? '') : token];
  }

  function value(): Operand {
    if (!take('if_not_exists')) return operand();
    need('(');
    const known = operand();
    need(',');
    const otherwise = operand();
    need(')');
    return (item, given) => known(item, given) ?? otherwise(item, given);
  }

  function comparison(): Condition {
    const left = operand();
    const operator = next();
    if (operator === 'BETWEEN') {
      const low = operand();
      need('AND');
      const high = operand();
      return (item, given) => {
        const value = left(item, given);
        return value !== undefined && compare(value, low(item, given)) >= 0 && compare(value, high(item, given)) <= 0;
      };
    }
    const holds = COMPARISONS[operator];
    if (!holds) throw new Error(`Unknown operator ${operator} in ${expression}`);
    const right = operand();
    return (item, given) => {
      const [a, b] = [left(item, given), right(item, given)];
      return a !== undefined && b !== undefined && typeof a === typeof b && holds(compare(a, b));
    };
  }

  function primary(): Condition {
    if (take('NOT')) {
      const negated = primary();
      return (item, given) => !negated(item, given);
    }
    if (take('(')) {
      const inner = either();
      need(')');
      return inner;
    }
    const test = FUNCTIONS[tokens[at] ?? ''];
    if (!test) return comparison();
    next();
    need('(');
    const argument = operand();
    need(')');
    return (item, given) => test(argument(item, given));
  }

  function both(): Condition {
    const parts = [primary()];
    while (take('AND')) parts.push(primary());
    return (item, given) => parts.every((part) => part(item, given));
  }

  function either(): Condition {
    const parts = [both()];
    while (take('OR')) parts.push(both());
    return (item, given) => parts.some((part) => part(item, given));
  }

  return { either, value, next, take, need, isAtEnd: () => at === tokens.length };
}

const conditions = new Map<string, Condition>();

/** Whether a condition holds for an item; `{}` stands for none. */
export function holds(expression: string | undefined, item: Item, references: References): boolean {
  if (expression === undefined) return true;
  let condition = conditions.get(expression);
  if (!condition) {
    const parser = createParser(expression);
    condition = parser.either();
    if (!parser.isAtEnd()) throw new Error(`More than a condition: ${expression}`);
    conditions.set(expression, condition);
  }
  return condition(item, references);
}

/** The item after an update: `SET a = :b, c = if_not_exists(c, :d), …` and `REMOVE a, …`. */
export function updated(expression: string, item: Item, references: References): Item {
  const parser = createParser(expression);
  const result = { ...item };
  const nameOf = (token: string) =>
    token.startsWith('#') ? (references.ExpressionAttributeNames?.[token] ?? '') : token;
  while (!parser.isAtEnd()) {
    const action = parser.next();
    if (action !== 'SET' && action !== 'REMOVE') throw new Error(`Unknown action ${action} in ${expression}`);
    do {
      const name = nameOf(parser.next());
      if (action === 'REMOVE') delete result[name];
      else {
        parser.need('=');
        result[name] = parser.value()(item, references);
      }
    } while (parser.take(','));
  }
  return result;
}
