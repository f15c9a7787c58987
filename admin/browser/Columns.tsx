import { labelOf, PROPERTIES } from './filters.ts';
import { Popover, Short } from './parts.tsx';
import { go, view } from './state.ts';
import { columnsOf, sortedBy } from './view.ts';

/** The menu of the columns and the order of the list: on a phone there are no heads of columns to click. */
export function Columns({ attributes }: { attributes: readonly string[] }) {
  const shown = columnsOf(view);
  const all = [...new Set([...PROPERTIES, ...attributes, ...shown])];
  const change = (name: string) =>
    go({ column: all.filter((each) => (each === name) !== shown.includes(each)) }, 'replaceState');
  const orders = all.flatMap((name) => [name, `${name},desc`]);
  return (
    <Popover text={<Short text="Columns" sign="⇅" />} name="Columns and order">
      {() => (
        <div class="vstack">
          <label>
            Sort by
            <select
              value={view.sort[0]?.replace(/,asc$/, '') ?? ''}
              onChange={({ currentTarget }) => go({ sort: [currentTarget.value], page: '' })}
            >
              <option value="">The newest first</option>
              {orders.map((order) => (
                <option key={order} value={order}>
                  {labelOf(sortedBy(order)) + (order.endsWith(',desc') ? ', descending' : '')}
                </option>
              ))}
            </select>
          </label>
          {all.slice(1).map((name) => (
            <label key={name}>
              <input type="checkbox" checked={shown.includes(name)} onChange={() => change(name)} />
              {labelOf(name)}
            </label>
          ))}
        </div>
      )}
    </Popover>
  );
}
