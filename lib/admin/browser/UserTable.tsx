import { type ColumnDef, rowSortingFeature, tableFeatures, useTable } from '@tanstack/preact-table';
import type { TargetedKeyboardEvent } from 'preact';
import type { User } from './connection.ts';
import { textOf } from './edit.ts';
import { timeOf } from './time.ts';
import { labelOf, MAX_SORTS, PROPERTIES, SORTED_PROPERTIES, type Sort, type View, writeView } from './view.ts';

const features = tableFeatures({ rowSortingFeature });

const columns: ColumnDef<typeof features, User>[] = PROPERTIES.map((property) => ({
  id: property,
  accessorFn: (user) => user[property as keyof User],
  header: labelOf(property),
  enableSorting: SORTED_PROPERTIES.includes(property),
}));

const ARROWS = { asc: '▲', desc: '▼' } as const;
const ARIA = { asc: 'ascending', desc: 'descending' } as const;

/** Arrows move from user to user, as in a list. */
function moveFocus(event: TargetedKeyboardEvent<HTMLElement>): void {
  const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
  if (step === undefined) return;
  const links = [...event.currentTarget.querySelectorAll<HTMLElement>('tbody a')];
  const next = links[links.indexOf(document.activeElement as HTMLElement) + step];
  if (!next) return;
  event.preventDefault();
  next.focus();
}

interface Props {
  users: User[];
  view: View;
  isLoading: boolean;
  onSort(sorts: Sort[]): void;
  onOpen(id: string): void;
}

export function UserTable({ users, view, isLoading, onSort, onOpen }: Props) {
  const sorting = view.sorts.map(({ property, isDescending }) => ({ id: property, desc: isDescending }));
  const table = useTable({
    features,
    columns,
    data: users,
    getRowId: ({ id }) => String(id),
    manualSorting: true,
    state: { sorting },
    sortDescFirst: false,
    maxMultiSortColCount: MAX_SORTS,
    onSortingChange: (update) => {
      const next = typeof update === 'function' ? update(sorting) : update;
      onSort(next.map(({ id, desc }) => ({ property: id, isDescending: desc })));
    },
  });
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: who has no mouse can scroll it, too
    <section class="scrolls" aria-label="Users" tabIndex={0} onKeyDown={moveFocus}>
      <table aria-busy={isLoading}>
        <thead>
          {table.getHeaderGroups().map((group) => (
            <tr key={group.id}>
              {group.headers.map(({ id, column }) => {
                const sorted = column.getIsSorted();
                const rank = view.sorts.length > 1 && sorted ? column.getSortIndex() + 1 : '';
                return (
                  <th key={id} scope="col" class={`of-${id}`} {...(sorted && { 'aria-sort': ARIA[sorted] })}>
                    <button
                      type="button"
                      class="sort"
                      title="Sort. Shift: sort by a second column"
                      onClick={column.getToggleSortingHandler()}
                    >
                      {String(column.columnDef.header)}
                      {sorted && (
                        <span class="arrow" aria-hidden="true">
                          {ARROWS[sorted]}
                          {rank}
                        </span>
                      )}
                    </button>
                  </th>
                );
              })}
            </tr>
          ))}
        </thead>
        <tbody>
          {table.getRowModel().rows.map((row) => (
            <tr key={row.id} onClick={() => onOpen(row.id)}>
              {row.getAllCells().map((cell) => (
                <td key={cell.id} class={`of-${cell.column.id}`}>
                  {cell.column.id === 'name' ? (
                    <a
                      href={writeView({ ...view, user: row.id })}
                      onClick={(event) => {
                        if (event.metaKey || event.ctrlKey || event.shiftKey) event.stopPropagation();
                        else event.preventDefault();
                      }}
                    >
                      {row.original.name}
                    </a>
                  ) : cell.column.id === 'createdAt' ? (
                    timeOf(row.original.createdAt)
                  ) : (
                    textOf(cell.getValue() as string | number | undefined)
                  )}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  );
}
