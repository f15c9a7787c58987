import {
  ATTRIBUTE_ASKS,
  FILTERS,
  type Filter,
  filterNamed,
  isOfPart,
  isSeveral,
  PARTS,
} from '../../../lib/users/filters.ts';
import { FEW_FIELDS, isNumber, PLAIN_FIELDS } from '../../../lib/users/user.ts';
import { counted, countryOf, timeOf } from './time.ts';

export type Asks = Filter['asks'];

/** The values of each parameter. The API judges them. */
export type Filters = Readonly<Record<string, readonly string[]>>;

/** The text before the name of an attribute, in parameters, columns and orders. */
export const ATTRIBUTE = 'attributes.';

export const isAttribute = (property: string): boolean => property.startsWith(ATTRIBUTE);

/** The properties of a user. A list has the first ones if nothing else is chosen, and can be sorted by each. */
export const USUAL: readonly string[] = ['name', 'email', 'status', 'country', 'createdAt'];
export const PROPERTIES: readonly string[] = [...new Set([...USUAL, 'id', ...PLAIN_FIELDS, 'updatedAt'])];

const LABELS = new Map([
  ['email', 'E-mail'],
  ['createdAt', 'Created'],
  ['updatedAt', 'Changed'],
  ['id', 'ID'],
  ['externalId', 'External ID'],
]);

/** Whether the values of a property are moments. */
export const isMoment = (property: string): boolean => ['createdAt', 'updatedAt'].includes(property);

/** `firstName` is called "First name", and an attribute as its own name. */
export function labelOf(property: string): string {
  if (isAttribute(property)) return property.slice(ATTRIBUTE.length);
  const words = property.replace(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`);
  return LABELS.get(property) ?? words.charAt(0).toUpperCase() + words.slice(1);
}

/** Whether a property has few values: they are offered. */
export const hasFewValues = (property: string): boolean =>
  isAttribute(property) || FEW_FIELDS.some((few) => few === property);

const WORDS: Readonly<Record<Exclude<Asks, keyof typeof PARTS>, string>> = {
  is: 'is',
  not: 'is not',
  gt: 'above',
  gte: 'at least',
  lt: 'below',
  lte: 'at most',
  missing: 'has a value',
  words: 'has',
};

const OF_DATES: Readonly<Record<string, string>> = { gte: 'from', gt: 'after', lte: 'until', lt: 'before' };

/** The words for the question of a filter. */
export function wordOf(property: string, asks: Asks): string {
  if (isOfPart(asks)) return PARTS[asks].words;
  return (isMoment(property) && OF_DATES[asks]) || WORDS[asks];
}

/** The usual question about a property. */
function usualOf(property: string): Asks {
  if (isMoment(property)) return 'gte';
  if (isNumber(property)) return 'gt';
  return property === 'id' || hasFewValues(property) ? 'is' : 'contains';
}

/** The questions about a property, the usual one first. */
export function asksOf(property: string): Asks[] {
  const fields = [...FILTERS.values()].filter((filter) => filter.property === property).map(({ asks }) => asks);
  return [...new Set([usualOf(property), ...(isAttribute(property) ? ATTRIBUTE_ASKS : fields)])];
}

export const parameterOf = (property: string, asks: Asks): string => (asks === 'is' ? property : `${property}.${asks}`);

/** The property and the question of a parameter. The service refuses those that it does not know. */
export const ruleOf = (parameter: string): { property: string; asks: Asks } =>
  filterNamed(parameter) ?? { property: parameter, asks: 'is' };

/** The filters with one more value, or with the other value of one that has only one. */
export function withValue(filters: Filters, parameter: string, value: string): Filters {
  const before = isSeveral(ruleOf(parameter)) ? (filters[parameter] ?? []) : [];
  return { ...filters, [parameter]: [...new Set([...before, value])] };
}

/** A value as people say it. A moment may be a duration before now: `-P7D`. */
export function valueText(property: string, value: string): string {
  if (property === 'country') return countryOf(value) ?? asStored(value);
  if (!isMoment(property)) return asStored(value);
  const [, days] = /^-P(\d+)D$/.exec(value) ?? [];
  if (days) return `${counted(Number(days), 'day')} ago`;
  return Number.isNaN(Date.parse(value)) ? value : timeOf(value);
}

/** A text as it is stored: what would turn other letters round is shown by its number (https://www.unicode.org/reports/tr9/#Explicit_Directional_Embeddings). */
export const asStored = (text: string): string =>
  text.replace(/[\u202a-\u202e\u2066-\u2069]/g, (mark) => `⟨U+${mark.charCodeAt(0).toString(16).toUpperCase()}⟩`);

/** Characters of a text that stand beside others. The whole is elsewhere, or shown on hover. */
const MOST_SHOWN = 60;

/** The beginning of a long text. */
export function short(text: string): string {
  const letters = [...asStored(text)];
  return letters.length > MOST_SHOWN ? `${letters.slice(0, MOST_SHOWN).join('').trim()}…` : letters.join('');
}

/** The direction of a text. An address is read from the left, whatever its letters. */
export const dirOf = (text: string): 'ltr' | 'auto' => (/^\S+(@|:\/\/)\S+$/.test(text) ? 'ltr' : 'auto');

/** "Status active", "Age above 60", "Without E-mail". */
export function filterText(parameter: string, value: string): string {
  const { property, asks } = ruleOf(parameter);
  if (parameter === 'q') return `“${value}”`;
  if (asks === 'missing') return `${value === 'true' ? 'Without' : 'With'} ${labelOf(property)}`;
  const word = asks === 'is' ? '' : `${wordOf(property, asks).replace(/^is /, '')} `;
  return `${labelOf(property)} ${word}${valueText(property, value)}`;
}

/** A filter in use, with one of its values, or with many. */
export interface NamedFilter {
  parameter: string;
  /** Undefined: many. */
  value: string | undefined;
  text: string;
  /** All filters but this one. */
  others: Filters;
}

/** Values of a filter that are told one by one. More are told together: "E-mail one of 48". */
const FEW_VALUES = 4;

/** All filters in use, in words. Those of the box are the first. */
export const namedFilters = (filters: Filters): NamedFilter[] =>
  Object.entries({ q: [], ...filters }).flatMap(([parameter, values]) => {
    const isMany = values.length > FEW_VALUES;
    return (isMany ? [undefined] : values).map((value) => ({
      parameter,
      value,
      text: filterText(parameter, value ?? `one of ${values.length}`),
      others: { ...filters, [parameter]: isMany ? [] : values.filter((each) => each !== value) },
    }));
  });

/** All filters in use, in words. */
export const wordsOf = (filters: Filters): string =>
  namedFilters(filters)
    .map(({ text }) => text)
    .join(', ');
