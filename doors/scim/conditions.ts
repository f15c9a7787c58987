/** A filter of SCIM as filters of the API, which must all hold. A part that they cannot say is refused: without it everybody would match. */
import type { Settings } from '../door.ts';
import { inactive, knownPath, LISTS, PROPERTIES, shortened, TYPE } from './fields.ts';
import { type Filter, invalidFilter, type Test } from './filter.ts';

/** Values by the name of a filter of the API, of which any may match. `userName` stands for a question that the API has not. */
export type Conditions = Map<string, string[]>;

/** The condition that nobody meets. */
export const NOBODY = 'nobody';

type Asked = Conditions | typeof NOBODY;

const ENDINGS = new Map([
  ['eq', ''],
  ['ne', '.not'],
  ['co', '.contains'],
  ['sw', '.startsWith'],
  ['ew', '.endsWith'],
]);
const BOUNDS = new Map([
  ['gt', '.gt'],
  ['ge', '.gte'],
  ['lt', '.lt'],
  ['le', '.lte'],
]);
const DATE_TIME = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?(?:Z|[+-]\d\d:\d\d)$/i;
/** Texts that the API takes for numbers or durations when it compares. */
const NO_TEXT = /^[-+]?(?:\d|\.\d|P)/i;
const USER_NAME = 'attributes.userName';
/** Nobody lacks them. */
const ALWAYS = ['id', 'createdAt', 'updatedAt', USER_NAME];
const MAX_VALUES = 100;

/** The property of the API that a path means, as filters and orders have it. */
export function propertyOf(path: string, { SCIM_GROUPS }: Settings): string | undefined {
  const short = shortened(path);
  if (short === 'id') return short;
  if (short === 'meta.created') return 'createdAt';
  if (short === 'meta.lastmodified') return 'updatedAt';
  if (SCIM_GROUPS && /^groups(?:\.value|\.display)?$/.test(short)) return `attributes.${SCIM_GROUPS}`;
  return PROPERTIES.get(knownPath(short) ?? '');
}

export const isUserId = (text: string): boolean => /^[1-9]\d{0,15}$/.test(text) && Number.isSafeInteger(Number(text));

const cannot = ({ path, op }: Test) => invalidFilter(`This service does not support "${path} ${op}" with this value`);

const one = (name: string, ...values: string[]): Conditions => new Map([[name, values]]);

function ofActive(test: Test, settings: Settings): Asked {
  const others = inactive(settings);
  switch (`${test.op} ${test.value}`.toLowerCase()) {
    case 'eq false':
      return one('status', ...others);
    case 'eq true':
      return new Map([
        ['status.not', others],
        ['status.missing', ['false']],
      ]);
    case 'ne false':
      return one('status.not', ...others);
  }
  throw cannot(test);
}

/** The ending of a filter of the API. Undefined for what it cannot be asked. */
function endingOf(property: string, op: string, value: string): string | undefined {
  if (property === 'id') return /^(?:eq|ne)$/.test(op) ? ENDINGS.get(op) : undefined;
  if (/^(?:created|updated)At$/.test(property)) return DATE_TIME.test(value) ? BOUNDS.get(op) : undefined;
  const isBound = property.startsWith('attributes.') && !NO_TEXT.test(value);
  return ENDINGS.get(op) ?? (isBound ? BOUNDS.get(op) : undefined);
}

function ofText(test: Test, property: string): Asked {
  const { value, op } = test;
  // The API takes an empty filter for none.
  if (typeof value !== 'string' || value === '') throw cannot(test);
  if (property === 'id' && op === 'eq' && !isUserId(value)) return NOBODY;
  if (property === USER_NAME && op === 'eq') return one('userName', value);
  const ending = endingOf(property, op, value);
  if (ending === undefined || (property === 'id' && !isUserId(value)) || (property === USER_NAME && op === 'ne'))
    throw cannot(test);
  return one(property + ending, value);
}

/** The type of the one value that the door keeps of a list, and that it is the first. */
function ofKind(test: Test, list: string, isType: boolean): Asked {
  if (test.op !== 'eq') throw cannot(test);
  const isIt = String(test.value).toLowerCase() === (isType ? TYPE : 'true');
  const [, property] = [...PROPERTIES].find(([path]) => path.toLowerCase().startsWith(`${list}.`)) ?? [];
  return isIt ? one(`${property}.missing`, 'false') : NOBODY;
}

function ofTest(test: Test, settings: Settings): Asked {
  const [list = '', kind = ''] = shortened(test.path).split('.');
  if (LISTS.some((each) => each.toLowerCase() === list) && /^(?:type|primary)$/.test(kind))
    return ofKind(test, list, kind === 'type');
  const property = propertyOf(test.path, settings);
  if (property === undefined) throw invalidFilter(`"${test.path}" is no attribute that can be filtered by`);
  const isPresence = test.op === 'pr' || test.op === 'missing';
  if (isPresence && ALWAYS.includes(property)) return test.op === 'pr' ? new Map() : NOBODY;
  if (isPresence) return one(`${property}.missing`, String(test.op === 'missing'));
  return property === 'status' ? ofActive(test, settings) : ofText(test, property);
}

function both(a: Asked, b: Asked): Asked {
  if (a === NOBODY || b === NOBODY) return NOBODY;
  const together = new Map(a);
  for (const [name, values] of b) {
    const others = together.get(name) ?? values;
    // The API takes a filter that is given twice for "any of both", but .not for "none of both".
    if (!name.endsWith('.not') && String(others) !== String(values))
      throw invalidFilter(`The filter asks twice for ${name}`);
    together.set(name, [...new Set([...others, ...values])]);
  }
  return together;
}

function either(a: Asked, b: Asked): Asked {
  if (a === NOBODY) return b;
  if (b === NOBODY) return a;
  const names = [...a.keys(), ...b.keys()];
  const [name = '', other] = names;
  if (names.length !== 2 || name !== other || /\.(?:not|missing|[gl]te?)$/.test(name))
    throw invalidFilter('An "or" can be asked of one attribute, with one operator');
  const values = [...(a.get(name) ?? []), ...(b.get(name) ?? [])];
  if (values.length > MAX_VALUES) throw invalidFilter(`An "or" has at most ${MAX_VALUES} values`);
  return one(name, ...values);
}

/** @throws {ScimError} `invalidFilter` for what cannot be asked */
export function conditionsOf(filter: Filter, settings: Settings): Asked {
  if (filter.is === 'test') return ofTest(filter, settings);
  const [a, b] = [conditionsOf(filter.of[0], settings), conditionsOf(filter.of[1], settings)];
  return filter.is === 'and' ? both(a, b) : either(a, b);
}
