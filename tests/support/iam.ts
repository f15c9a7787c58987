/**
 * Decides requests by IAM policies, as far as the policies of this project need it. It throws when it meets anything else, as a
 * policy would otherwise look stricter than it is.
 * https://docs.aws.amazon.com/IAM/latest/UserGuide/reference_policies_evaluation-logic.html
 */

type Values = string | readonly string[];

export interface PolicyStatement {
  Effect: 'Allow' | 'Deny';
  Action: Values;
  Resource: Values;
  /** Values by operator and key. */
  Condition?: Record<string, Record<string, Values>>;
}

/** A request that a policy decides. */
export interface IamRequest {
  action: string;
  resource: string;
  /** What AWS knows about the request, by condition key. */
  context?: Record<string, string>;
}

const listOf = (values: Values): readonly string[] => [values].flat();

/** Characters that a policy can write only as variables: wildcards, and the `$` that begins a variable. */
const VARIABLES: Record<string, string> = { '${*}': '\\*', '${?}': '\\?', '${$}': '\\$' };

function toRegExp(token: string): string {
  if (token === '*') return '.*';
  if (token === '?') return '.';
  const known = VARIABLES[token];
  if (known) return known;
  if (token.startsWith('${')) throw new Error(`The evaluator does not know the variable ${token}`);
  return token.replace(/[\\^$.|+()[\]{}]/g, '\\$&');
}

/** Whether a text is like a pattern with wildcards. */
function isLike(text: string, pattern: string, flags = ''): boolean {
  const tokens = pattern.match(/\$\{[^}]*\}|[*?]|[^*?$]+|\$/g) ?? [];
  return new RegExp(`^${tokens.map(toRegExp).join('')}$`, `s${flags}`).test(text);
}

type Operator = (value: string, wanted: string) => boolean;

const OPERATORS: Record<string, Operator> = {
  StringEquals: (value, wanted) => value === wanted,
  StringLike: isLike,
  ArnLike: isLike,
};

/** `Not` means none of the values, and holds if the key is missing. With `IfExists` every operator holds if the key is missing. */
function meets(operator: string, value: string | undefined, wanted: readonly string[]): boolean {
  if (operator === 'Null') return wanted.includes(String(value === undefined));
  const [, family = '', not, kind = '', ifExists] = /^(String|Arn)(Not)?(Equals|Like)(IfExists)?$/.exec(operator) ?? [];
  const compare = OPERATORS[family + kind];
  if (!compare) throw new Error(`The evaluator does not know the operator ${operator}`);
  if (value === undefined) return not !== undefined || ifExists !== undefined;
  return wanted.some((one) => compare(value, one)) === (not === undefined);
}

function meetsAll({ Condition = {} }: PolicyStatement, context: Record<string, string>): boolean {
  const known = new Map(Object.entries(context).map(([key, value]) => [key.toLowerCase(), value]));
  return Object.entries(Condition).every(([operator, keys]) =>
    Object.entries(keys).every(([key, wanted]) => meets(operator, known.get(key.toLowerCase()), listOf(wanted))),
  );
}

const ELEMENTS = ['Sid', 'Effect', 'Action', 'Resource', 'Condition'];

function appliesTo(statement: PolicyStatement, { action, resource, context = {} }: IamRequest): boolean {
  const unknown = Object.keys(statement).find((element) => !ELEMENTS.includes(element));
  if (unknown) throw new Error(`The evaluator does not know the element ${unknown}`);
  return (
    listOf(statement.Action).some((pattern) => isLike(action, pattern, 'i')) &&
    listOf(statement.Resource).some((pattern) => isLike(resource, pattern)) &&
    meetsAll(statement, context)
  );
}

/** Whether a policy allows a request: one of its statements allows it, and none denies it. */
export function isAllowedBy(statements: readonly PolicyStatement[], request: IamRequest): boolean {
  const effects = statements.filter((statement) => appliesTo(statement, request)).map(({ Effect }) => Effect);
  return effects.includes('Allow') && !effects.includes('Deny');
}
