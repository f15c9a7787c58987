import type { User } from './connection.ts';
import { textOf } from './edit.ts';
import { labelOf } from './filters.ts';
import { timeOf } from './time.ts';
import { addressWith, type Go } from './useView.ts';
import { columnsOf, nextSorts, sortedBy, type View } from './view.ts';

interface Props {
  users: User[];
  view: View;
  isLoading: boolean;
  go: Go;
}

/** The name of a column, which sorts by it. All columns can be sorted by: so can all properties of a user. */
function ColumnHead({ property, view: { sorts }, go }: { property: string } & Pick<Props, 'view' | 'go'>) {
  const rank = sorts.findIndex((sort) => sortedBy(sort) === property);
  const isDescending = sorts[rank]?.endsWith(',desc');
  const direction = isDescending ? 'descending' : 'ascending';
  return (
    <th scope="col" class={`of-${property}`} {...(rank >= 0 && { 'aria-sort': direction })}>
      <button
        type="button"
        class="ghost sort"
        title="Sort. Shift: sort by a second column"
        onClick={({ shiftKey }) => go({ sorts: nextSorts(sorts, property, shiftKey), page: 0 })}
      >
        {labelOf(property)}
        {rank >= 0 && (
          <span aria-hidden="true">
            {isDescending ? '▼' : '▲'}
            {sorts.length > 1 && rank + 1}
          </span>
        )}
      </button>
    </th>
  );
}

function Cell({ property, user }: { property: string; user: User }) {
  if (property === 'createdAt') return <>{timeOf(user.createdAt)}</>;
  if (property !== 'name') return <>{textOf(user[property as keyof User])}</>;
  return <a href={addressWith({ user: String(user.id) })}>{user.name}</a>;
}

export function UserTable({ users, view, isLoading, go }: Props) {
  // On a phone the usual columns are fewer than all.
  const name = view.columns.length > 0 ? 'table' : 'table usual';
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: who has no mouse can scroll it, too
    <section class={name} aria-label="Users" tabIndex={0}>
      <table aria-busy={isLoading}>
        <thead>
          <tr>
            {columnsOf(view).map((property) => (
              <ColumnHead key={property} property={property} view={view} go={go} />
            ))}
          </tr>
        </thead>
        <tbody>
          {users.map((user) => (
            <tr key={user.id}>
              {columnsOf(view).map((property) => (
                <td key={property} class={`of-${property}`}>
                  <Cell property={property} user={user} />
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  );
}
