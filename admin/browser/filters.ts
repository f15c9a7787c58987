import { FEW_FIELDS, isNumber } from '../../lib/users/fields.ts';
import { FILTERS, type Filter } from '../../lib/users/filters.ts';
import { user } from '../../schemas/user.ts';
import { countryOf, timeOf } from './time.ts';

export type Asks = Filter['asks'];

/** What stands before the name of an attribute, in parameters, columns and orders. */
export const ATTRIBUTE = 'attributes.';

export const isAttribute = (property: string): boolean => property.startsWith(ATTRIBUTE);

/** The properties of a user. A list has the first ones if nothing else is chosen, and can be sorted by each. */
export const USUAL: readonly string[] = ['name', 'email', 'status', 'country', 'createdAt'];
const OTHERS = Object.keys(user.properties).filter((name) => ![...USUAL, 'id', 'attributes'].includes(name));
export const PROPERTIES: readonly string[] = [...USUAL, ...OTHERS, 'id'];

const LABELS = new Map([
  ['email', 'E-mail'],
  ['createdAt', 'Created'],
  ['id', 'ID'],
  ['externalId', 'External ID'],
]);

/** `firstName` is called "First name", and an attribute as its own name. */
export function labelOf(property: string): string {
  if (isAttribute(property)) return property.slice(ATTRIBUTE.length);
  const words = property.replace(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`);
  return LABELS.get(property) ?? words.charAt(0).toUpperCase() + words.slice(1);
}

/** Whether a property has few values: they are offered. */
export const hasFewValues = (property: string): boolean =>
  isAttribute(property) || FEW_FIELDS.some((few) => few === property);

/** In the order in which they are offered, unless another one is usual. */
const WORDS: Readonly<Record<Exclude<Asks, 'words'>, string>> = {
  is: 'is',
  not: 'is not',
  contains: 'contains',
  startsWith: 'begins with',
  endsWith: 'ends with',
  gt: 'above',
  gte: 'at least',
  lt: 'below',
  lte: 'at most',
  missing: 'has a value',
};

const OF_DATES: Readonly<Record<string, string>> = { gte: 'from', gt: 'after', lte: 'until', lt: 'before' };

const ALL = Object.keys(WORDS) as (keyof typeof WORDS)[];

/** What a filter asks, in words. */
export const wordOf = (property: string, asks: Asks): string =>
  (property === 'createdAt' && OF_DATES[asks]) || (asks === 'words' ? 'has' : WORDS[asks]);

/** What is asked of a property most often. */
function usualOf(property: string): Asks {
  if (property === 'createdAt') return 'gte';
  if (isNumber(property)) return 'gt';
  return property === 'id' || hasFewValues(property) ? 'is' : 'contains';
}

/** What can be asked of a property, the usual first. */
export function asksOf(property: string): Asks[] {
  const known = ALL.filter((asks) => isAttribute(property) || FILTERS.has(parameterOf(property, asks) as never));
  return [...new Set([usualOf(property), ...known])];
}

export const parameterOf = (property: string, asks: Asks): string => (asks === 'is' ? property : `${property}.${asks}`);

/** What a parameter asks of which property. The service judges those that it does not know. */
export function ruleOf(parameter: string): { property: string; asks: Asks } {
  const known = FILTERS.get(parameter as never);
  if (known) return known;
  const dot = parameter.lastIndexOf('.');
  const asks = ALL.find((each) => each === parameter.slice(dot + 1));
  return asks && dot > 0 ? { property: parameter.slice(0, dot), asks } : { property: parameter, asks: 'is' };
}

/** Whether one more value is added to those that a filter has, and does not take their place. */
export const isSeveral = (parameter: string): boolean =>
  !['gt', 'gte', 'lt', 'lte', 'missing', 'words'].includes(ruleOf(parameter).asks);

/** A value as people say it. A moment may be a duration before now: `-P7D`. */
export function valueText(property: string, value: string): string {
  if (property === 'country') return countryOf(value) ?? value;
  if (property !== 'createdAt') return value;
  const [, days] = /^-P(\d+)D$/.exec(value) ?? [];
  if (days) return `${days} days ago`;
  return Number.isNaN(Date.parse(value)) ? value : timeOf(value);
}

/** "Status active", "Older than 60", "Without e-mail". */
export function filterText(parameter: string, value: string): string {
  const { property, asks } = ruleOf(parameter);
  const label = labelOf(property);
  if (asks === 'missing')
    return `${value === 'true' ? 'Without' : 'With'} ${label.replace(/^[A-Z](?=[a-z-])/, (letter) => letter.toLowerCase())}`;
  if (parameter === 'age.gt') return `Older than ${value}`;
  if (parameter === 'age.lt') return `Younger than ${value}`;
  const word = asks === 'is' ? '' : `${wordOf(property, asks).replace(/^is /, '')} `;
  return `${label} ${word}${valueText(property, value)}`;
}
