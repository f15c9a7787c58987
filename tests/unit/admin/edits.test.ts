import { describe, expect, test } from 'vitest';
import { changeIn, type EditRow, rowOf } from '../../../admin/browser/many/edits.ts';

const row = (...[property, key, way]: Parameters<typeof rowOf>) => rowOf(property, key, way);

const filled = (some: EditRow, more: Partial<EditRow>): EditRow => ({ ...some, ...more });

describe('a change of many', () => {
  test('sets fields and attributes, takes values away, and changes lists, in one', () => {
    const rows = [
      filled(row('status', 0), { text: 'dormant' }),
      row('country', 1, 'none'),
      filled(row('age', 2), { text: '7' }),
      filled(row('attributes.seats', 3, 'number'), { text: '3' }),
      row('attributes.team', 4, 'none'),
      filled(row('attributes.tags', 5, 'gets'), { items: ['vip'] }),
      filled(row('attributes.topics', 6, 'loses'), { items: ['news', 'offers'] }),
    ];
    expect(changeIn(rows)).toEqual({
      patch: { status: 'dormant', country: null, age: 7, attributes: { seats: 3, team: null } },
      add: { attributes: { tags: ['vip'] } },
      remove: { attributes: { topics: ['news', 'offers'] } },
    });
  });

  test.each<[string, EditRow[]]>([
    ['no row', []],
    ['no value', [row('status', 0)]],
    ['a fault', [filled(row('attributes.seats', 0, 'number'), { text: 'five' })]],
    ['no name', [filled(row('attributes.', 0, 'text'), { text: 'x' })]],
    ['one property twice', [filled(row('status', 0), { text: 'a' }), filled(row('status', 1), { text: 'b' })]],
    ['one row that is not whole', [filled(row('status', 0), { text: 'a' }), row('country', 1)]],
  ])('is none as long as there is %s', (_, rows) => {
    expect(changeIn(rows)).toBeUndefined();
  });
});
