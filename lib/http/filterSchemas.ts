import { filterValues, flag } from '../../schemas/filters.ts';
import { FILTERS, type Filter } from '../users/filters.ts';

type ValueSchema = (typeof filterValues)[Filter['property']] | typeof flag;

/** What each value of a filter must be. */
export const valueSchema = ({ property, asks }: Filter): ValueSchema =>
  asks === 'missing' ? flag : filterValues[property];

const namesWith = (schema: ValueSchema): string[] =>
  [...FILTERS].flatMap(([name, filter]) => (valueSchema(filter) === schema ? [name.replace('.', '\\.')] : []));

/**
 * The filters of a listing, each with one value. By patterns: code is generated for each schema of values, and not for each of the many
 * filters.
 */
export const filters = {
  type: 'object',
  patternProperties: Object.fromEntries(
    [...new Set([...Object.values(filterValues), flag])].map((schema): [string, ValueSchema] => [
      `^(?:${namesWith(schema).join('|')})$`,
      schema,
    ]),
  ),
  additionalProperties: false,
};
