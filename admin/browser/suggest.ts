import { type Asks, filterText, isAttribute, labelOf, PROPERTIES, parameterOf, valueText } from './filters.ts';

/** What can be taken of a list: a field to go on with, or a filter. */
export interface Option {
  text: string;
  /** How many users have it, if that is known. */
  count?: number | undefined;
  property?: string;
  filter?: readonly [parameter: string, value: string];
}

/** The values of a property and how many users have them, the largest first. Undefined: those without one. */
export type Counted = readonly (readonly [value: string | undefined, count: number])[];

const small = (text: string): string => text.trim().toLocaleLowerCase();

/** How far a text is from what is typed: it, its beginning, that of a word, a part. Undefined: it is not meant. */
function distance(text: string, typed: string): number | undefined {
  const [known, part] = [small(text), small(typed)];
  const ways = [known === part, known.startsWith(part), known.includes(` ${part}`), known.includes(part)];
  const way = ways.indexOf(true);
  return way < 0 ? undefined : way;
}

/** The values that may be meant, and how far they are from it, the nearest first. A country is found by its name and its code. */
export function valuesLike(property: string, counted: Counted, typed: string) {
  const near = counted.flatMap(([value, count]) => {
    const names = value === undefined ? [] : [value, valueText(property, value)];
    const ways = names.flatMap((name) => distance(name, typed) ?? []);
    return value === undefined || ways.length === 0 ? [] : [{ property, value, count, way: Math.min(...ways) }];
  });
  return near.toSorted((a, b) => a.way - b.way);
}

const option = (parameter: string, value: string, count?: number): Option => ({
  text: filterText(parameter, value),
  count,
  filter: [parameter, value],
});

/** More values are offered once their field is chosen. */
const MOST = 8;

/** "older than 60", "> 60" */
const AGE = /^\s*(?:(older than|above|over|>)|younger than|below|under|<)\s*(\d+)\s*$/i;

/** What somebody may mean who begins with a filter: an age, a value, a field. */
export function begin(typed: string, known: ReadonlyMap<string, Counted>, attributes: readonly string[]): Option[] {
  const [, above, age] = AGE.exec(typed) ?? [];
  const named = isAttribute(typed) ? [typed] : [];

  // The name of an attribute that nobody has shown is typed whole.
  const near = (property: string) => (named.includes(property) ? 0 : distance(labelOf(property), typed));
  const fields = [...new Set([...PROPERTIES, ...attributes, ...named])]
    .filter((property) => near(property) !== undefined)
    .toSorted((a, b) => (near(a) ?? 0) - (near(b) ?? 0));
  const values = [...known].flatMap(([property, counted]) => valuesLike(property, counted, typed));
  const nearest = values.toSorted((a, b) => a.way - b.way).slice(0, typed.trim() === '' ? 0 : MOST);
  return [
    ...(age === undefined ? [] : [option(above === undefined ? 'age.lt' : 'age.gt', age)]),
    ...nearest.map(({ property, value, count }) => option(property, value, count)),
    ...fields.map((property) => ({ text: `${labelOf(property)} …`, property })),
  ];
}

/** Moments from which on people ask. */
const AGO = ['-P1D', '-P7D', '-P30D', '-P365D'];

/** What somebody may mean who has chosen a property and what is asked of it. @param counted undefined: not known */
export function goOn(property: string, asks: Asks, typed: string, counted: Counted | undefined): Option[] {
  const parameter = parameterOf(property, asks);
  const text = typed.trim();
  if (asks === 'missing') return ['false', 'true'].map((value) => option(parameter, value));
  // What was entered in the reader's own zone, as the API wants it.
  if (property === 'createdAt')
    return (text === '' ? AGO : [new Date(text).toISOString()]).map((value) => option(parameter, value));
  if (!counted || !['is', 'not'].includes(asks)) return text === '' ? [] : [option(parameter, text)];
  const values = valuesLike(property, counted, text).map(({ value, count }) => option(parameter, value, count));
  const isKnown = text === '' || counted.some(([value]) => value === text);
  return isKnown ? values : [...values, option(parameter, text, 0)];
}

/** What others have that somebody may have meant who typed what nobody has: "suspnded" means "suspended". */
export function meantBy(property: string, counted: Counted, typed: string): string | undefined {
  const parts = [typed, typed.trim().slice(0, 3)];
  return parts.flatMap((part) => valuesLike(property, counted, part))[0]?.value;
}
