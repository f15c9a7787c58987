import type { Chosen } from './ChosenBar.tsx';
import type { User } from './connection.ts';
import { type Fields, textOf, valuesOf } from './edit.ts';
import { labelOf, valueText } from './filters.ts';
import { Status } from './parts.tsx';
import { addressWith, go, view } from './state.ts';
import { useKey } from './useWindow.ts';
import { columnsOf, nextSort, sortedBy } from './view.ts';

interface Props {
  users: User[];
  /** Whether it is read again, or cannot be read. */
  isBusy: boolean;
  chosen: Chosen;
  choose(chosen: Chosen): void;
}

/** The widths of columns stay from page to page. */
const WIDTHS: Readonly<Record<string, string>> = { name: '14rem', email: '17rem', age: '4.5rem' };

/** The name of a column, which sorts by it. All columns can be sorted by: so can all properties of a user. */
function ColumnHead({ property }: { property: string }) {
  const sort = view.sort.find((each) => sortedBy(each) === property);
  const isDescending = sort?.endsWith(',desc');
  const order = { 'aria-sort': isDescending ? 'descending' : 'ascending' } as const;
  const next = () => go({ sort: nextSort(view.sort, property), page: '' });
  return (
    <th scope="col" style={{ width: WIDTHS[property] ?? '10rem' }} {...(sort && order)}>
      <button type="button" class="ghost sort" title={`Sort by ${labelOf(property)}`} onClick={next}>
        {labelOf(property)}
        {sort && <span aria-hidden="true">{isDescending ? '▼' : '▲'}</span>}
      </button>
    </th>
  );
}

function Cell({ property, user, values }: { property: string; user: User; values: Fields }) {
  const text = textOf(values.get(property));
  if (text === '') return null;
  if (property === 'status') return <Status text={text} />;
  const Tag = property === 'name' ? 'a' : 'span';
  const shown = valueText(property, text);
  return (
    <Tag {...(Tag === 'a' && { href: addressWith({ user: String(user.id) }) })} dir="auto" title={shown}>
      {shown}
    </Tag>
  );
}

function step(by: 1 | -1): void {
  const rows = [...document.querySelectorAll<HTMLElement>('tbody a')];
  const at = rows.findIndex((row) => row.closest('tr')?.contains(document.activeElement));
  rows[Math.min(Math.max(at + by, 0), rows.length - 1)]?.focus();
}

/** A row is one target, but for its box, and for who marks its text. */
function open({ target }: MouseEvent): void {
  if (!(target instanceof Element) || target.closest('a, .of-choice') || !getSelection()?.isCollapsed) return;
  target.closest('tr')?.querySelector('a')?.click();
}

export function UserTable({ users, isBusy, chosen, choose }: Props) {
  useKey('j ArrowDown', () => step(1));
  useKey('k ArrowUp', () => step(-1));
  const columns = columnsOf(view);
  const ids = users.map(({ id }) => id);

  const isChosen = (id: number) => chosen === 'all' || chosen.has(id);
  const change = (some: readonly number[], areChosen: boolean) => {
    const others = chosen === 'all' ? ids : [...chosen];
    const left = others.filter((id) => !some.includes(id));
    choose(new Set(areChosen ? [...left, ...some] : left));
  };
  const box = (label: string, some: readonly number[]) => (
    <input
      type="checkbox"
      aria-label={label}
      checked={some.every(isChosen)}
      onChange={({ currentTarget }) => change(some, currentTarget.checked)}
    />
  );
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: who has no mouse can scroll it, too
    <section class="table" aria-label="Users" tabIndex={0}>
      <table aria-busy={isBusy} class={view.column.length === 0 ? 'usual' : undefined}>
        <thead>
          <tr>
            <td class="of-choice" style={{ width: '2.25rem' }}>
              {box('Choose all of this page', ids)}
            </td>
            {columns.map((property) => (
              <ColumnHead key={property} property={property} />
            ))}
          </tr>
        </thead>
        {/* biome-ignore lint/a11y/useKeyWithClickEvents: the link in each row does the same by a key */}
        <tbody onClick={open}>
          {users.map((user) => (
            <tr key={user.id} class={String(user.id) === view.user || isChosen(user.id) ? 'chosen' : undefined}>
              <td class="of-choice">{box(`Choose ${user.name}`, [user.id])}</td>
              {columns.map((property) => (
                <td key={property} class={`of-${property}`} data-label={labelOf(property)}>
                  <Cell property={property} user={user} values={valuesOf(user)} />
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  );
}
