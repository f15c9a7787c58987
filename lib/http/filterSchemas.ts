import { attributeBound, attributeValue, filterValues, flag } from '../../schemas/filters.ts';
import { ATTRIBUTE_NAME } from '../../schemas/limits.ts';
import { ATTRIBUTE_ASKS, FILTERS, type FieldFilter, type Filter, isBound } from '../users/filters.ts';

type ValueSchema = (typeof filterValues)[FieldFilter['property']] | typeof flag;

/** What each value of a filter must be. */
const valueSchema = ({ property, asks }: FieldFilter): ValueSchema =>
  asks === 'missing' ? flag : filterValues[property];

const namesWith = (schema: ValueSchema): string[] =>
  [...FILTERS].flatMap(([name, filter]) => (valueSchema(filter) === schema ? [name.replace('.', '\\.')] : []));

/** The names of the filters of attributes with some endings. */
function attributePattern(isAsked: (asks: Filter['asks']) => boolean): string {
  const endings = ATTRIBUTE_ASKS.filter(isAsked).map((asks) => (asks === 'is' ? '' : `\\.${asks}`));
  return `^attributes\\.${ATTRIBUTE_NAME.slice(1, -1)}(?:${endings.join('|')})$`;
}

const isOfNumbers = (asks: Filter['asks']): boolean => isBound({ asks });

/**
 * The filters of a listing, each with one value. By patterns: code is generated for each schema of values, and not for each of the many
 * filters.
 */
export const filters = {
  type: 'object',
  patternProperties: {
    ...Object.fromEntries(
      [...new Set([...Object.values(filterValues), flag])].map((schema): [string, ValueSchema] => [
        `^(?:${namesWith(schema).join('|')})$`,
        schema,
      ]),
    ),
    [attributePattern(isOfNumbers)]: attributeBound,
    [attributePattern((asks) => asks === 'missing')]: flag,
    [attributePattern((asks) => asks !== 'missing' && !isOfNumbers(asks))]: attributeValue,
  },
  additionalProperties: false,
};
