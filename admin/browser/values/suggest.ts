import {
  type Asks,
  asksOf,
  filterText,
  isAttribute,
  isMoment,
  labelOf,
  PROPERTIES,
  parameterOf,
  valueText,
} from '../data/filters.ts';

/** An entry of a list of suggestions: a field to go on with, or a filter. */
export interface Option {
  text: string;
  /** How many users have it, if that is known. */
  count?: number | undefined;
  property?: string;
  filter?: FilterValue;
  /** More filters of the same line. */
  also?: readonly FilterValue[];
}

type FilterValue = readonly [parameter: string, value: string];

/** A value that some users have. */
export interface Counted {
  property: string;
  value: string;
  count: number;
}

export const small = (text: string): string => text.trim().toLocaleLowerCase();

/** The items that the typed text may mean, the nearest first: names that are equal, that begin with it, that contain it. */
export function meant<Item>(typed: string, items: readonly Item[], namesOf: (item: Item) => readonly string[]): Item[] {
  const part = small(typed);
  const fits = [
    (name: string) => name === part,
    (name: string) => name.startsWith(part),
    (name: string) => name.includes(part),
  ];
  const all = fits.flatMap((is) => items.filter((item) => namesOf(item).some((name) => is(small(name)))));
  return [...new Set(all)];
}

/** The values that may be meant. A country is found by its name and its code. */
export const valuesLike = (typed: string, counted: readonly Counted[]): Counted[] =>
  meant(typed, counted, ({ property, value }) => [value, valueText(property, value)]);

const option = (parameter: string, value: string, count?: number): Option => ({
  text: filterText(parameter, value),
  count,
  filter: [parameter, value],
});

/** More values are offered once their field is chosen. */
const MOST = 8;

/** The words of a bound, and what each asks. */
const BOUNDS: Readonly<Record<string, Asks>> = {
  ...{ '>=': 'gte', 'at least': 'gte', after: 'gte', since: 'gte', from: 'gte' },
  ...{ '<=': 'lte', 'at most': 'lte', until: 'lte' },
  ...{ '>': 'gt', above: 'gt', over: 'gt', 'older than': 'gt' },
  ...{ '<': 'lt', below: 'lt', under: 'lt', 'younger than': 'lt', before: 'lt' },
};

/** "older than 60", "created after 2026-11-01", "lastSeen before 60 days ago", "seats above 3" */
const BOUND = new RegExp(`^(?:(\\S.*?)\\s+)?(${Object.keys(BOUNDS).join('|')})\\s*(\\S.*)$`, 'i');

const DAYS_AGO = /^(\d+) days?(?: ago)?$/i;

const DATE = /^\d{4}-\d\d-\d\d/;

const DATE_OR_NUMBER = /^(?:\d{4}-\d\d-\d\d(?:T\S+)?|-?\d+(?:\.\d+)?)$/;

/** The moment that a text stands for, or none: days and times are those of the browser's zone, and the API wants UTC. */
function momentsIn(text: string): string[] {
  const [, days] = DAYS_AGO.exec(text) ?? [];
  if (days !== undefined) return [`-P${days}D`];
  // A date alone would be one of UTC.
  const moment = new Date(text.length === 10 ? `${text}T00:00` : text);
  return DATE.test(text) && !Number.isNaN(moment.valueOf()) ? [moment.toISOString()] : [];
}

/** The property of a name, also of its beginning. */
const propertyLike = (name: string, attributes: readonly string[]): string | undefined =>
  meant(name, [...PROPERTIES, ...attributes], (property) => [labelOf(property)]).find((property) =>
    small(labelOf(property)).startsWith(small(name)),
  );

/** Bounds of moments, numbers and attributes. A number without a name is an age. */
function boundsIn(text: string, attributes: readonly string[]): Option[] {
  const [, name, word = '', value = ''] = BOUND.exec(text) ?? [];
  const property = name === undefined ? 'age' : propertyLike(name, attributes);
  const asks = BOUNDS[small(word)];
  const isGiven = DATE_OR_NUMBER.test(value) && !isMoment(property ?? '');
  const edge = isGiven ? value : momentsIn(value)[0];
  if (!property || !asks || edge === undefined || (name === undefined && !/^\d+$/.test(edge))) return [];
  return asksOf(property).includes(asks) ? [option(parameterOf(property, asks), edge)] : [];
}

/** "@example.org", "without e-mail", "older than 60", and bounds. */
function askedIn(typed: string, attributes: readonly string[]): Option[] {
  const text = typed.trim();
  if (/^@\S+$/.test(text)) return [option('email.endsWith', text)];
  const [, without, name] = /^(?:(without|no)|with) (.+)$/i.exec(text) ?? [];
  const property = name === undefined ? undefined : propertyLike(name, attributes);
  if (property && asksOf(property).includes('missing')) return [option(`${property}.missing`, String(!!without))];
  return boundsIn(text, attributes);
}

/** More words do not belong to one filter. */
const MOST_WORDS = 5;

/** The filters of a whole line, such as "active germans above 60". Empty: not all of its words are known. */
function lineIn(typed: string, counted: readonly Counted[], attributes: readonly string[]): Option[] {
  const words = typed.trim().split(/\s+/);
  const found: Option[] = [];
  for (let at = 0; at < words.length; ) {
    const length = Math.min(MOST_WORDS, words.length - at);
    const parts = Array.from({ length }, (_, i) => words.slice(at, at + length - i).join(' '));
    const option = parts.map((part) => [part, wordIn(part, counted, attributes)] as const).find(([, each]) => each);
    if (!option?.[1]) return [];
    found.push(option[1]);
    at += option[0].split(' ').length;
  }
  if (found.length < 2) return [];
  const [first, ...also] = found.flatMap(({ filter }) => (filter ? [filter] : []));
  return first ? [{ text: found.map(({ text }) => text).join(', '), filter: first, also }] : [];
}

/** The filter of some words of a line. "Germans" are those of Germany. */
function wordIn(text: string, counted: readonly Counted[], attributes: readonly string[]): Option | undefined {
  const begins = ({ property, value }: Counted, part: string) =>
    [value, valueText(property, value)].some((name) => small(name).startsWith(small(part)));
  const [value] = [text, text.replace(/s$/, '')].flatMap((part) =>
    part.length < 2 ? [] : valuesLike(part, counted).filter((each) => begins(each, part)),
  );
  return askedIn(text, attributes)[0] ?? (value && option(value.property, value.value, value.count));
}

/** Suggestions for the beginning of a filter: a line of several, what is asked in words, a value, a field. */
export function begin(typed: string, counted: readonly Counted[], attributes: readonly string[]): Option[] {
  const values = typed.trim() === '' ? [] : valuesLike(typed, counted).slice(0, MOST);
  // The name of an attribute that nobody has shown is typed whole.
  const named = isAttribute(typed) ? [typed] : [];
  const fields = meant(typed, [...PROPERTIES, ...attributes], (property) => [labelOf(property)]);
  return [
    ...askedIn(typed, attributes),
    ...values.map(({ property, value, count }) => option(property, value, count)),
    ...lineIn(typed, counted, attributes),
    ...[...named, ...fields].map((property) => ({ text: `${labelOf(property)} …`, property })),
  ];
}

/** Moments from which on people ask. */
const AGO = ['-P1D', '-P7D', '-P30D', '-P365D'];

/** Suggestions of values, once the property and the question are chosen. @param counted undefined: not known */
export function goOn(property: string, asks: Asks, typed: string, counted?: readonly Counted[]): Option[] {
  const parameter = parameterOf(property, asks);
  const text = typed.trim();
  if (asks === 'missing') return ['false', 'true'].map((value) => option(parameter, value));
  if (isMoment(property)) return (text === '' ? AGO : momentsIn(text)).map((value) => option(parameter, value));
  const known = ['is', 'not'].includes(asks) ? counted : undefined;
  const values = valuesLike(text, known ?? []).map(({ value, count }) => option(parameter, value, count));
  const isKnown = text === '' || known?.some(({ value }) => value === text);
  return isKnown ? values : [...values, option(parameter, text, known && 0)];
}
