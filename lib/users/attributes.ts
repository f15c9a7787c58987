/** Fields of a client's own. Their names may be those of anything that objects inherit, so nothing but own members counts. */
import { ATTRIBUTE_NAME } from '../../schemas/limits.ts';
import type { Attributes, AttributeValue } from '../../schemas/user.ts';

export type { Attributes, AttributeValue };

/** One of them, as filters and orders name it. */
export type AttributeProperty = `attributes.${string}`;

/** Stands for all of them, in messages and among the names of filters. */
export const ANY_ATTRIBUTE = 'attributes.<name>';

const PROPERTY = new RegExp(`^attributes\\.(?<name>${ATTRIBUTE_NAME.slice(1, -1)})$`);

/** The name in `attributes.team`. Undefined for any other property. */
export const attributeIn = (property: string): string | undefined => PROPERTY.exec(property)?.groups?.name;

export const isOfAttribute = (property: string): property is AttributeProperty => PROPERTY.test(property);

/** The name in `attributes.team`, and with any ending, as in `attributes.team.not`. */
export const nameAsked = (parameter: string): string | undefined => /^attributes\.([^.]+)/.exec(parameter)?.[1];

/** A number as JSON has it. */
export const NUMBER = /^-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][-+]?\d+)?$/;

/** The value of a name. */
export const attributeOf = (attributes: Attributes | undefined, name: string): AttributeValue | undefined =>
  attributes && Object.hasOwn(attributes, name) ? attributes[name] : undefined;

const hasValue = (value: unknown): value is AttributeValue =>
  value !== null && value !== undefined && !(Array.isArray(value) && value.length === 0);

/** Those that have a value, in the order of their names: equal ones have equal texts. Undefined if none has one. */
export function attributesOf(given: object): Attributes | undefined {
  const members = Object.entries(given).filter((member): member is [string, AttributeValue] => hasValue(member[1]));
  if (members.length === 0) return undefined;
  return Object.fromEntries(members.sort(([a], [b]) => (a < b ? -1 : 1)));
}

/** Whether two values of a field, or of an attribute, are the same. Members are in the order of their names. */
export const isSame = (a: unknown, b: unknown): boolean =>
  a === b || (typeof a === 'object' && JSON.stringify(a) === JSON.stringify(b));

/** The attributes that others do not have like that. */
export const attributesBeside = (attributes: Attributes = {}, others: Attributes = {}): Attributes =>
  Object.fromEntries(Object.entries(attributes).filter(([name, value]) => !isSame(value, attributeOf(others, name))));

/** The changes that turn attributes back into those of before, as a merge patch has them. null if there were none. */
export function attributesBack(before: Attributes | undefined, after: Attributes | undefined) {
  if (!before || !after) return before ?? null;
  const added = Object.keys(after).filter((name) => !Object.hasOwn(before, name));
  return { ...Object.fromEntries(added.map((name) => [name, null])), ...attributesBeside(before, after) };
}
