/** The ways in which fields are used, by the table of schemas/fields.ts. */
import { FIELDS, type PlainField } from '../../schemas/fields.ts';
import type { FieldKind, Kinds } from '../columns/index.ts';
import type { AttributeProperty } from './attributes.ts';

type Fields = typeof FIELDS;
export type FieldsOf<Wanted extends FieldKind> = {
  [Field in PlainField]: Fields[Field]['kind'] extends Wanted ? Field : never;
}[PlainField];

export type ExactField = FieldsOf<'exact'>;

/** A field with few values. */
export type FewField = { [Field in PlainField]: Fields[Field] extends { few: true } ? Field : never }[PlainField];

/** The kind of each field. */
export const KINDS = Object.fromEntries(Object.entries(FIELDS).map(([field, { kind }]) => [field, kind])) as Readonly<
  Record<PlainField, FieldKind>
>;

/** The columns of the replica. Moments are in Unix milliseconds; that of the creation is a part of the id. */
export const COLUMNS: Kinds = { ...KINDS, updatedAt: 'number', attributes: 'members' };

const namesOf = <Field extends PlainField>(use: 'few' | 'words'): readonly Field[] =>
  Object.entries(FIELDS).flatMap(([field, uses]) => (use in uses ? [field as Field] : []));

export const FEW_FIELDS = namesOf<FewField>('few');

/** The field that a keyword is looked for in. */
export const KEYWORD_FIELD = 'lastName';

/** The fields that words are looked for in. */
export const WORD_FIELDS = namesOf<PlainField>('words');

/** The kind of a property, if it is a field. */
export const kindOf = (property: string): FieldKind | undefined =>
  Object.hasOwn(KINDS, property) ? KINDS[property as PlainField] : undefined;

/** Whether the values of a column are numbers. */
export const isNumber = (property: string): boolean => COLUMNS[property] === 'number';

/** The properties that a list can be sorted by. */
export type SortProperty = PlainField | AttributeProperty | 'id' | 'createdAt' | 'updatedAt';
