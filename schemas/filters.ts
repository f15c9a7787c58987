import { FIELDS, type PlainField, RULES } from './fields.ts';
import { MAX_ATTRIBUTE_TEXT, PRINTABLE } from './limits.ts';

/** A text, by the length limit of its field; `mailbox` counts octets. */
const text = (maxLength: number, format: string) =>
  ({ type: 'string', maxLength, pattern: PRINTABLE, format, description: 'No control characters.' }) as const;

/** A text that stands for something else. */
const standing = <const Format extends string>(format: Format) => ({ type: 'string', format }) as const;

const integer = standing('integer');
const moment = standing('moment');

/** A value of a filter, by the property that it is about; `any` is for words. They have the length limits of the fields. */
export const filterValues = {
  ...(Object.fromEntries(
    Object.entries(FIELDS).map(([field, { kind, rule }]) => {
      if (rule === 'integer') return [field, integer];
      const { shape, checks } = RULES[rule];
      return [field, text(shape.maxLength, kind === 'address' ? 'mailbox' : checks.format)];
    }),
  ) as Record<PlainField, ReturnType<typeof text> | typeof integer>),
  id: integer,
  createdAt: moment,
  updatedAt: moment,
  any: text(RULES.name.shape.maxLength, 'text'),
};

/** The value of a filter of an attribute, and a bound of one. */
export const attributeValue = text(MAX_ATTRIBUTE_TEXT, 'attribute');
export const attributeBound = text(MAX_ATTRIBUTE_TEXT, 'bound');

/** The value of a filter that ends in `missing`. */
export const flag = standing('flag');
