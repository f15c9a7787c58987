import type { TargetedKeyboardEvent } from 'preact';
import type { User } from './connection.ts';
import { textOf } from './edit.ts';
import { timeOf } from './time.ts';
import type { Go } from './useView.ts';
import { labelOf, nextSorts, PROPERTIES, type View, writeView } from './view.ts';

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
  go: Go;
}

/** The name of a column, which sorts by it. All columns can be sorted by: so can all properties of a user. */
function ColumnHead({ property, view: { sorts }, go }: { property: string } & Pick<Props, 'view' | 'go'>) {
  const rank = sorts.findIndex((sort) => sort.property === property);
  const direction = sorts[rank]?.isDescending ? 'desc' : 'asc';
  return (
    <th scope="col" class={`of-${property}`} {...(rank >= 0 && { 'aria-sort': ARIA[direction] })}>
      <button
        type="button"
        class="ghost sort"
        title="Sort. Shift: sort by a second column"
        onClick={({ shiftKey }) => go({ sorts: nextSorts(sorts, property, shiftKey), page: 0 })}
      >
        {labelOf(property)}
        {rank >= 0 && (
          <span aria-hidden="true">
            {ARROWS[direction]}
            {sorts.length > 1 && rank + 1}
          </span>
        )}
      </button>
    </th>
  );
}

function Cell({ property, user, view }: { property: string; user: User; view: View }) {
  if (property === 'createdAt') return <>{timeOf(user.createdAt)}</>;
  if (property !== 'name') return <>{textOf(user[property as keyof User])}</>;
  return (
    <a
      href={writeView({ ...view, user: String(user.id) })}
      onClick={(event) => {
        if (event.metaKey || event.ctrlKey || event.shiftKey) event.stopPropagation();
        else event.preventDefault();
      }}
    >
      {user.name}
    </a>
  );
}

export function UserTable({ users, view, isLoading, go }: Props) {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: who has no mouse can scroll it, too
    <section class="table" aria-label="Users" tabIndex={0} onKeyDown={moveFocus}>
      <table aria-busy={isLoading}>
        <thead>
          <tr>
            {PROPERTIES.map((property) => (
              <ColumnHead key={property} property={property} view={view} go={go} />
            ))}
          </tr>
        </thead>
        <tbody>
          {users.map((user) => (
            <tr key={user.id} onClick={() => go({ user: String(user.id) })}>
              {PROPERTIES.map((property) => (
                <td key={property} class={`of-${property}`}>
                  <Cell property={property} user={user} view={view} />
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  );
}
