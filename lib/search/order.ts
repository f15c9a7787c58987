/** An order, and a place of it, as the engine sorts. */
import { kindOf, type Order, type Row, valueOfColumn } from '../columns/index.ts';
import { at, NO_NUMBER, type Shape, sortKey } from './fields.ts';
import type { Query } from './query.ts';

/** Without a value a row comes behind all that have one. @param isBack from the end of the list */
export const sortOf = ({ kinds }: Shape, order: Order, isBack = false): Query[] =>
  order.map(({ property, per, descending }) => {
    const isDescending = descending !== isBack;
    const direction = { order: isDescending ? 'desc' : 'asc' };
    if (property === 'id') return { [per ? 'per' : 'id']: direction };
    if (kindOf(kinds, property) === 'number')
      return { [at('n', property)]: { ...direction, missing: NO_NUMBER, unmapped_type: 'double' } };
    const missing = isDescending ? '_first' : '_last';
    return { [at('s', property)]: { ...direction, missing, unmapped_type: 'keyword' } };
  });

/** The values by which a row is sorted. */
export const placeOf = ({ kinds }: Shape, order: Order, row: Row): (string | number | null)[] =>
  order.map(({ property, per }) => {
    if (property === 'id') return per ? Math.floor(row.id / per) : row.id;
    const kind = kindOf(kinds, property) ?? 'text';
    const value = valueOfColumn(kinds, row, property);
    if (value === undefined) return kind === 'number' ? NO_NUMBER : null;
    return sortKey(kind, value);
  });
