import { type Asks, filterText, isAttribute, labelOf, PROPERTIES, parameterOf, valueText } from './filters.ts';

/** An entry of a list of suggestions: a field to go on with, or a filter. */
export interface Option {
  text: string;
  /** How many users have it, if that is known. */
  count?: number | undefined;
  property?: string;
  filter?: readonly [parameter: string, value: string];
}

/** A value that some users have. */
export interface Counted {
  property: string;
  value: string;
  count: number;
}

const small = (text: string): string => text.trim().toLocaleLowerCase();

/** The items that the typed text may mean, the nearest first: names that are equal, that begin with it, that contain it. */
function meant<Item>(typed: string, items: readonly Item[], namesOf: (item: Item) => readonly string[]): Item[] {
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

/** "older than 60", "> 60" */
const AGE = /^\s*(?:(older than|above|over|>)|younger than|below|under|<)\s*(\d+)\s*$/i;

/** Suggestions for the beginning of a filter: an age, a value, a field. */
export function begin(typed: string, counted: readonly Counted[], attributes: readonly string[]): Option[] {
  const [, above, age] = AGE.exec(typed) ?? [];
  const ages = age === undefined ? [] : [option(above === undefined ? 'age.lt' : 'age.gt', age)];
  const values = typed.trim() === '' ? [] : valuesLike(typed, counted).slice(0, MOST);
  // The name of an attribute that nobody has shown is typed whole.
  const named = isAttribute(typed) ? [typed] : [];
  const fields = meant(typed, [...PROPERTIES, ...attributes], (property) => [labelOf(property)]);
  return [
    ...ages,
    ...values.map(({ property, value, count }) => option(property, value, count)),
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
  // The moment is entered in the zone of the browser, and the API wants it in UTC.
  if (property === 'createdAt')
    return (text === '' ? AGO : [new Date(text).toISOString()]).map((value) => option(parameter, value));
  const known = ['is', 'not'].includes(asks) ? counted : undefined;
  const values = valuesLike(text, known ?? []).map(({ value, count }) => option(parameter, value, count));
  const isKnown = text === '' || known?.some(({ value }) => value === text);
  return isKnown ? values : [...values, option(parameter, text, known && 0)];
}
