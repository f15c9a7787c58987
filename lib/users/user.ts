/**
 * A user: the fields of the contract, the ways in which each is used, and attributes, which are fields of a client's own.
 * Marks tell bundlers that they may leave tables out which a function does not use.
 */
import { FIELDS, type PlainField, REQUIRED } from '../../schemas/fields.ts';
import { ATTRIBUTE_NAME } from '../../schemas/limits.ts';
import type { Attributes, AttributeValue, UserInput, UserRepresentation } from '../../schemas/user.ts';
import { createdAt, momentText } from './ids.ts';

export type { Attributes, AttributeValue };

/** An attribute, as filters and orders name it. Its name may be that of anything that objects inherit, so nothing but own members counts. */
export type AttributeProperty = `attributes.${string}`;

/** Stands for all attributes, in messages and among the names of filters. */
export const ANY_ATTRIBUTE = 'attributes.<name>';

/** A property of users that has no name of its own, as a part of a regular expression. */
export const ATTRIBUTE = `attributes\\.${ATTRIBUTE_NAME.slice(1, -1)}`;

const PROPERTY = new RegExp(`^attributes\\.(?<name>${ATTRIBUTE_NAME.slice(1, -1)})$`);

/** The name in `attributes.team`. Undefined for any other property. */
export const attributeIn = (property: string): string | undefined => PROPERTY.exec(property)?.groups?.name;

export const isOfAttribute = (property: string): property is AttributeProperty => PROPERTY.test(property);

/** The name in `attributes.team`, and with any ending, as in `attributes.team.not`. */
export const nameAsked = (parameter: string): string | undefined => /^attributes\.([^.]+)/.exec(parameter)?.[1];

/** A number as JSON has it. */
export const NUMBER = /^-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][-+]?\d+)?$/;

/** The value of an attribute. */
export const attributeOf = (attributes: Attributes | undefined, name: string): AttributeValue | undefined =>
  attributes && Object.hasOwn(attributes, name) ? attributes[name] : undefined;

const hasValue = (value: unknown): value is AttributeValue =>
  value !== null && value !== undefined && !(Array.isArray(value) && value.length === 0);

/** The attributes that have a value, in the order of their names: equal ones have equal texts. Undefined if none has one. */
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

type Fields = typeof FIELDS;

/** How the values of a field are compared. */
export type FieldKind = Fields[PlainField]['kind'];

export type FieldsOf<Wanted extends FieldKind> = {
  [Field in PlainField]: Fields[Field]['kind'] extends Wanted ? Field : never;
}[PlainField];

export type ExactField = FieldsOf<'exact'>;

/** A field with few values. */
export type FewField = { [Field in PlainField]: Fields[Field] extends { few: true } ? Field : never }[PlainField];

/** The kind of each field. */
export const KINDS = /* @__PURE__ */ Object.fromEntries(
  /* @__PURE__ */ Object.entries(FIELDS).map(([field, { kind }]) => [field, kind]),
) as Readonly<Record<PlainField, FieldKind>>;

const namesOf = <Field extends PlainField>(use: 'few' | 'words'): readonly Field[] =>
  Object.entries(FIELDS).flatMap(([field, uses]) => (use in uses ? [field as Field] : []));

export const FEW_FIELDS = /* @__PURE__ */ namesOf<FewField>('few');

/** The field that a keyword is looked for in. */
export const KEYWORD_FIELD = 'lastName';

/** The fields that words are looked for in. */
export const WORD_FIELDS = /* @__PURE__ */ namesOf<PlainField>('words');

/** The kind of a property, if it is a field. */
export const kindOf = (property: string): FieldKind | undefined =>
  Object.hasOwn(KINDS, property) ? KINDS[property as PlainField] : undefined;

/** Whether the values of a property are numbers in rows. */
export const isNumber = (property: string): boolean => property === 'updatedAt' || kindOf(property) === 'number';

/** The properties that a list can be sorted by. */
export type SortProperty = PlainField | AttributeProperty | 'id' | 'createdAt' | 'updatedAt';

/** The fields that a client may set. A field without a value is absent; only requests have nulls. */
export type UserFields = {
  [Field in keyof UserInput]: Field extends 'attributes' ? Attributes : NonNullable<UserInput[Field]>;
};

export type FieldName = keyof UserFields & string;

/** A field with one value. `attributes` has many. */
export type { PlainField };

export type OptionalField = { [Field in PlainField]: undefined extends UserFields[Field] ? Field : never }[PlainField];

/** A user as lists have it: they know no versions. */
export type ListedUser = UserFields & {
  readonly id: number;
  /** The moment of the last write that changed the user, in Unix milliseconds. Undefined if that was before version 3.0.0. */
  readonly updatedAt?: number;
};

/** A user as stored. Every write raises `version`; `createdAt` is decoded from the id and not stored. */
export type User = ListedUser & { readonly version: number };

export const PLAIN_FIELDS = /* @__PURE__ */ Object.keys(FIELDS) as PlainField[];

/** The fields in the order of validation. */
export const FIELD_NAMES = /* @__PURE__ */ (PLAIN_FIELDS as FieldName[]).concat('attributes');

/** The members of a user that the service gives: those of a client are ignored. */
export const GIVEN: readonly string[] = ['id', 'createdAt', 'updatedAt'];

export const isOptional = (field: PlainField): field is OptionalField =>
  !(REQUIRED as readonly string[]).includes(field);

type Source = UserInput | Readonly<Record<string, unknown>>;

/** The fields that have a value, and no other member. */
function withValues(source: Source): UserFields {
  const fields: Record<string, unknown> = {};
  for (const field of FIELD_NAMES) {
    const value = (source as Readonly<Record<string, unknown>>)[field];
    if (value !== null && value !== undefined) fields[field] = value;
  }
  return fields as UserFields;
}

/** Keeps the fields that have a value, and those of attributes, in their order. Ignores other members, including `id`, `createdAt` and `updatedAt`. */
export function pickFields(source: Source): UserFields {
  const { attributes, ...fields } = withValues(source);
  const own = attributes && attributesOf(attributes);
  return { ...fields, ...(own && { attributes: own }) };
}

/** Whether a user has these fields, and no others. `pickFields` puts both into one order. */
export const hasFields = (user: User, fields: UserFields): boolean =>
  JSON.stringify(pickFields(user)) === JSON.stringify(fields);

/** The user as clients see it. Stored users have their attributes in order. */
export const represent = (user: ListedUser): UserRepresentation => ({
  id: user.id,
  ...withValues(user),
  createdAt: createdAt(user.id),
  ...(user.updatedAt !== undefined && { updatedAt: momentText(user.updatedAt) }),
});
