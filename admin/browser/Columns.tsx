import { labelOf, PROPERTIES } from './filters.ts';
import { Select } from './parts.tsx';
import { go, view } from './state.ts';
import { columnsOf, sortedBy } from './view.ts';

/** The columns and the order of the list: on a phone there are no heads of columns to click. */
export function Columns({ attributes }: { attributes: readonly string[] }) {
  const shown = columnsOf(view);
  const all = [...new Set([...PROPERTIES, ...attributes, ...shown])];
  const change = (name: string) =>
    go({ column: all.filter((each) => (each === name) !== shown.includes(each)) }, 'replaceState');
  const orders = all
    .flatMap((name) => [name, `${name},desc`])
    .map((order) => [order, labelOf(sortedBy(order)) + (order.endsWith(',desc') ? ', descending' : '')] as const);
  return (
    <div class="vstack">
      <Select
        label="Sort by"
        value={view.sort[0]?.replace(/,asc$/, '') ?? ''}
        options={[['', 'The newest first'], ...orders]}
        onValue={(order) => go({ sort: [order], page: '' })}
      />
      {all.slice(1).map((name) => (
        <label key={name}>
          <input type="checkbox" checked={shown.includes(name)} onChange={() => change(name)} />
          {labelOf(name)}
        </label>
      ))}
    </div>
  );
}
