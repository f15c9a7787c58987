/** A filter of SCIM as questions to the API. A part that they cannot say is refused: without it everybody would match. */
import type { Settings } from '../door.ts';
import { inactive, knownPath, SINGLE, shortened } from './fields.ts';
import { type Filter, invalidFilter, type Some, type Test } from './filter.ts';
import { type List, listOf, type Place, placesOf, propertyAt } from './values.ts';

/**
 * Values by the name of a filter of the API, of which any may match. All names must hold. Two names stand for what the API
 * has no filter for: `userName` for the users who are shown with this one, `idPart` for an operator and a part of the id.
 */
export type Conditions = Map<string, string[]>;

/** A user matches who meets one of them. Of none: nobody. */
type Questions = Conditions[];

const NOBODY: Questions = [];
/** Each is a request to the stage, and two for a userName. */
const MAX_QUESTIONS = 12;

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
  if (SCIM_GROUPS && /^groups(?:\.value)?$/.test(short)) return `attributes.${SCIM_GROUPS}`;
  return SINGLE.get(knownPath(short) ?? '');
}

export const isUserId = (text: string): boolean => /^[1-9]\d{0,15}$/.test(text) && Number.isSafeInteger(Number(text));

const cannot = ({ path, op }: Test) => invalidFilter(`This service does not support "${path} ${op}" with this value`);

const one = (name: string, ...values: string[]): Questions => [new Map([[name, values]])];
const EVERYBODY: Questions = [new Map()];

function ofActive(test: Test, settings: Settings): Questions {
  const others = inactive(settings);
  switch (`${test.op} ${test.value}`.toLowerCase()) {
    case 'eq false':
      return one('status', ...others);
    case 'eq true':
      return [
        new Map([
          ['status.not', others],
          ['status.missing', ['false']],
        ]),
      ];
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

/** A userName that is shown is an attribute, or else the e-mail address, or else the id. The API orders none of them alike. */
function ofUserName(test: Test, value: string): Questions {
  if (test.op === 'eq') return one('userName', value);
  const ending = /^(?:co|sw|ew)$/.test(test.op) ? ENDINGS.get(test.op) : undefined;
  if (ending === undefined) throw cannot(test);
  const nameless: [string, string[]] = [`${USER_NAME}.missing`, ['true']];
  const byId: Conditions = new Map([nameless, ['email.missing', ['true']], ['idPart', [test.op, value]]]);
  return [
    new Map([[USER_NAME + ending, [value]]]),
    new Map([nameless, [`email${ending}`, [value]]]),
    ...(/^\d+$/.test(value) ? [byId] : []),
  ];
}

function ofText(test: Test, property: string): Questions {
  const { value, op } = test;
  // The API takes an empty filter for none.
  if (typeof value !== 'string' || value === '') throw cannot(test);
  if (property === 'id' && op === 'eq' && !isUserId(value)) return NOBODY;
  if (property === USER_NAME) return ofUserName(test, value);
  const ending = endingOf(property, op, value);
  if (ending === undefined || (property === 'id' && !isUserId(value))) throw cannot(test);
  return one(property + ending, value);
}

function ofProperty(test: Test, property: string, settings: Settings): Questions {
  const isPresence = test.op === 'pr' || test.op === 'missing';
  if (isPresence && ALWAYS.includes(property)) return test.op === 'pr' ? EVERYBODY : NOBODY;
  if (isPresence) return one(`${property}.missing`, String(test.op === 'missing'));
  return property === 'status' ? ofActive(test, settings) : ofText(test, property);
}

/** The members of which each value of a list has one at least. */
const mainOf = ({ members }: List) => (members.includes('value') ? ['value'] : members);

/** A test of the value at a place. Its type is known: it holds for everybody who has the value, or for nobody. */
function ofPlace(test: Test, list: List, { key, type }: Place, settings: Settings): Questions {
  const path = test.path.toLowerCase();
  const there = mainOf(list).map((member) => new Map([[`${propertyAt(list, key, member)}.missing`, ['false']]]));
  if (path === 'type') {
    if (test.op !== 'eq') throw cannot(test);
    return String(test.value).toLowerCase() === type ? there : NOBODY;
  }
  if (path === 'primary') {
    if (test.op !== 'eq' || !/^true$/i.test(String(test.value))) throw cannot(test);
    return one(`attributes.${list.property}Primary`, key);
  }
  const member = list.members.find((name) => name.toLowerCase() === path);
  if (member === undefined) throw invalidFilter(`${list.name} has no "${test.path}"`);
  return ofProperty(test, propertyAt(list, key, member), settings);
}

/** Whether one value of a list meets a filter: a question for each place that may have it. */
function ofValues({ path, of }: Some, settings: Settings): Questions {
  const list = listOf(shortened(path));
  if (list === undefined) throw invalidFilter(`"${path}" has no values to choose from`);
  const at = (filter: Filter, place: Place): Questions => {
    if (filter.is === 'some') throw invalidFilter('Brackets in brackets are not supported');
    if (filter.is === 'test') return ofPlace(filter, list, place, settings);
    const [a, b] = [at(filter.of[0], place), at(filter.of[1], place)];
    return filter.is === 'and' ? both(a, b) : either(a, b);
  };
  return placesOf(list).flatMap((place) => at(of, place));
}

/** A test of a list without brackets is one of any value. Those that deny it are of all. */
function ofList(test: Test, list: List, member: string | undefined, settings: Settings): Questions {
  const each = (member === undefined ? mainOf(list) : [member]).map((path): Test => ({ ...test, path }));
  if (test.op !== 'ne' && test.op !== 'missing')
    return each.flatMap((of) => ofValues({ is: 'some', path: list.name, of }, settings));
  return placesOf(list)
    .flatMap((place) => each.map((of) => ofPlace(of, list, place, settings)))
    .reduce(both);
}

function ofTest(test: Test, settings: Settings): Questions {
  const short = shortened(test.path);
  const [name = '', member] = short.split('.');
  const list = listOf(name);
  if (list !== undefined) return ofList(test, list, member, settings);
  const property = propertyOf(test.path, settings);
  if (property === undefined) throw invalidFilter(`"${test.path}" is no attribute that can be filtered by`);
  return ofProperty(test, property, settings);
}

function together(a: Conditions, b: Conditions): Conditions {
  const all = new Map(a);
  for (const [name, values] of b) {
    const others = all.get(name) ?? values;
    // The API takes a filter that is given twice for "any of both", but .not for "none of both".
    if (!name.endsWith('.not') && String(others) !== String(values))
      throw invalidFilter(`The filter asks twice for ${name}`);
    all.set(name, [...new Set([...others, ...values])]);
  }
  return all;
}

const both = (a: Questions, b: Questions): Questions => a.flatMap((one) => b.map((other) => together(one, other)));

/** One question for both, where the API can be asked for any of their values. */
function joined(a: Conditions, b: Conditions): Conditions | undefined {
  const [[name = '', others = []] = [], [other, values = []] = []] = [[...a][0], [...b][0]];
  const isOne = a.size === 1 && b.size === 1 && name === other;
  if (!isOne || /^(?:userName|idPart)$|\.(?:not|missing|[gl]te?)$/.test(name)) return undefined;
  const all = [...new Set([...others, ...values])];
  return all.length <= MAX_VALUES ? new Map([[name, all]]) : undefined;
}

function either(a: Questions, b: Questions): Questions {
  const all = [...a];
  for (const question of b) {
    const index = all.findIndex((each) => joined(each, question) !== undefined);
    const one = all[index] && joined(all[index], question);
    if (one === undefined) all.push(question);
    else all[index] = one;
  }
  return all;
}

/** @throws {ScimError} `invalidFilter` for what cannot be asked */
export function questionsOf(filter: Filter, settings: Settings): Questions {
  const of = (each: Filter): Questions => {
    if (each.is === 'test') return ofTest(each, settings);
    if (each.is === 'some') return ofValues(each, settings);
    const [a, b] = [of(each.of[0]), of(each.of[1])];
    return each.is === 'and' ? both(a, b) : either(a, b);
  };
  const questions = of(filter);
  if (questions.length > MAX_QUESTIONS)
    throw invalidFilter(
      `The filter is ${questions.length} questions to the stage, and at most ${MAX_QUESTIONS} are asked`,
    );
  return questions;
}
