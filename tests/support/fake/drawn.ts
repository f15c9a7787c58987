import { FEW_FIELDS, type FewField, type UserFields } from '../../../lib/users/user.ts';
import { user } from '../../../schemas/user.ts';
import type { ModelQuery, OneValue } from '../model.ts';
import type { Scheduler } from './scheduler.ts';

export const pick = <Value>(scheduler: Scheduler, values: readonly Value[]): Value =>
  values[scheduler.int(values.length)] as Value;

/** A value of each field with few values that is drawn. */
const valuesBy = (scheduler: Scheduler, isDrawn: () => boolean): { [Field in FewField]?: string } =>
  Object.fromEntries(
    FEW_FIELDS.filter(isDrawn).map((field) => [
      field,
      pick(scheduler, field === 'country' ? ['DE', 'FR'] : ['on', 'off', 'ON']),
    ]),
  );

/** Fields of a user, drawn from few values, so that many users are equal in an order. */
export function fieldsBy(scheduler: Scheduler): UserFields {
  const int = (below: number) => scheduler.int(below);
  return {
    name: pick(scheduler, ['Ann', 'Bea', 'ann', 'Cy']),
    ...(int(4) > 0 && { lastName: pick(scheduler, ['ab', 'aba', 'abab', 'b', 'ba', 'cab']) }),
    ...valuesBy(scheduler, () => int(3) > 0),
    ...(int(3) > 0 && { age: int(3) }),
    ...(int(3) > 0 && { email: pick(scheduler, ['a@b.de', 'c@d.de']) }),
  };
}

const PROPERTIES = Object.keys(user.properties).filter((name): name is OneValue => name !== 'attributes');

/** @param isWide with few filters and large pages, so that most writes concern it */
export function queryBy(scheduler: Scheduler, isWide: boolean): ModelQuery {
  const filters = isWide ? 12 : 3;
  const sort = Array.from({ length: scheduler.int(3) }, () => ({
    property: pick(scheduler, PROPERTIES),
    direction: pick(scheduler, ['asc', 'desc'] as const),
  }));
  return {
    ...valuesBy(scheduler, () => scheduler.int(filters) === 0),
    ...(scheduler.int(2 * filters) === 0 && { email: 'A@b.de' }),
    ...(scheduler.int(filters) === 0 && { keyword: pick(scheduler, ['a', 'ab', 'B', 'ba']) }),
    sort: sort.filter(({ property }, i) => sort.findIndex((key) => key.property === property) === i),
    page: scheduler.int(isWide ? 2 : 4),
    size: 1 + scheduler.int(isWide ? 20 : 6),
  };
}
