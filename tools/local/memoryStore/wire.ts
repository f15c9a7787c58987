/** DynamoDB's JSON: https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/Programming.LowLevelAPI.html */
import { invalid } from './errors.ts';

type Convert = (value: unknown) => unknown;

const isObject = (value: unknown): value is object => typeof value === 'object' && value !== null;

const mapped = (members: unknown, convert: Convert): object =>
  Array.isArray(members)
    ? members.map(convert)
    : Object.fromEntries(Object.entries(Object(members)).map(([name, value]) => [name, convert(value)]));

const BY_TYPE: Record<string, Convert> = {
  S: (value) => value,
  BOOL: (value) => value,
  NULL: () => null,
  N: Number,
  B: (value) => Buffer.from(String(value), 'base64'),
  L: (value) => mapped(value, plainOf),
  M: (value) => mapped(value, plainOf),
};

/** The value of `{"S": "…"}`. @throws ValidationException for a set, which the service does not store */
function plainOf(value: unknown): unknown {
  const [[type, given] = ['', undefined]] = Object.entries(Object(value));
  const convert = BY_TYPE[type];
  if (!convert) throw invalid(`The store in memory does not know values of type ${type}`);
  return convert(given);
}

function typedOf(value: unknown): unknown {
  if (typeof value === 'string') return { S: value };
  if (typeof value === 'number') return { N: String(value) };
  if (typeof value === 'boolean') return { BOOL: value };
  if (!isObject(value)) return { NULL: true };
  if (value instanceof Uint8Array)
    return { B: Buffer.from(value.buffer, value.byteOffset, value.length).toString('base64') };
  return { [Array.isArray(value) ? 'L' : 'M']: mapped(value, typedOf) };
}

/** The members of requests and responses that have values, or items. */
const VALUES = ['Item', 'Key', 'ExclusiveStartKey', 'LastEvaluatedKey', 'ExpressionAttributeValues', 'Parameters'];
const ITEMS = ['Items', 'Keys'];

function converted(given: unknown, convert: Convert): unknown {
  if (!isObject(given)) return given;
  if (Array.isArray(given)) return given.map((each) => converted(each, convert));
  const members = Object.entries(given).map(([name, member]) => {
    if (VALUES.includes(name) && isObject(member)) return [name, mapped(member, convert)];
    if (ITEMS.includes(name) && isObject(member)) return [name, mapped(member, (item) => mapped(item, convert))];
    return [name, converted(member, convert)];
  });
  return Object.fromEntries(members);
}

/** The input of a call with plain values. @throws ValidationException */
export const inputOf = (request: unknown): unknown => converted(request, plainOf);

/** A response with types. That of a BatchGetItem has its items by table. */
export function responseOf(output: object): object {
  const { Responses, ...others } = output as { Responses?: object };
  const items = (ofTable: unknown) => mapped(ofTable, (item) => mapped(item, typedOf));
  const byTable = Responses && (Array.isArray(Responses) ? Responses : mapped(Responses, items));
  return { ...(converted(others, typedOf) as object), ...(byTable && { Responses: byTable }) };
}
