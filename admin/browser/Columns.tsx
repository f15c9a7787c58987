import { labelOf, PROPERTIES } from './filters.ts';
import { Popover } from './Popover.tsx';
import { useShared } from './shared.ts';
import { columnsOf } from './view.ts';

/** Which columns the list has. */
export function Columns({ attributes }: { attributes: readonly string[] }) {
  const { view, go } = useShared();
  const shown = columnsOf(view);
  const all = [...new Set([...PROPERTIES, ...attributes, ...shown])];
  const change = (name: string) =>
    go({ column: all.filter((each) => (each === name) !== shown.includes(each)) }, 'replace');
  return (
    <Popover text="Columns" class="outline wide">
      {() => (
        <div class="menu">
          {all.slice(1).map((name) => (
            <label key={name}>
              <input type="checkbox" checked={shown.includes(name)} onChange={() => change(name)} />
              {labelOf(name)}
            </label>
          ))}
          <button type="button" class="ghost" onClick={() => go({ column: [] }, 'replace')}>
            The usual ones
          </button>
        </div>
      )}
    </Popover>
  );
}
