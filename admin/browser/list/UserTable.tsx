import { useRef, useState } from 'preact/hooks';
import { RowActions, SUSPENDED } from '../card/RowActions.tsx';
import type { User } from '../data/connection.ts';
import { type Fields, textOf, valuesOf } from '../data/edit.ts';
import { dirOf, isMoment, labelOf, valueText } from '../data/filters.ts';
import { addressWith, go, view } from '../data/state.ts';
import { timeOf } from '../data/time.ts';
import { columnsOf, nextSort, sortedBy, sortOf } from '../data/view.ts';
import { Icon } from '../parts/icons.tsx';
import { Status } from '../parts/parts.tsx';
import { useKey } from '../parts/useWindow.ts';
import { useCounted } from '../values/useCounted.ts';
import type { Chosen } from './ChosenBar.tsx';

interface Props {
  users: User[];
  /** Whether it is read again, or cannot be read. */
  isBusy: boolean;
  chosen: Chosen;
  choose(chosen: Chosen): void;
}

/** The widths of columns stay from page to page. Names and e-mails have what is left over. */
const WIDTHS: Readonly<Record<string, string>> = { name: 'auto', email: 'auto', age: '3rem' };

/** A long moment: with AM and PM they are longer. */
const MOMENT = '2026-09-28T22:58:00';

const widthOf = (property: string): string =>
  WIDTHS[property] ?? (isMoment(property) ? `${timeOf(MOMENT).length}ch` : '9rem');

/** The name of a column, which sorts by it. All columns can be sorted by: so can all properties of a user. */
function ColumnHead({ property }: { property: string }) {
  const sort = sortOf(view).find((each) => sortedBy(each) === property);
  const isDescending = sort?.endsWith(',desc');
  const order = { 'aria-sort': isDescending ? 'descending' : 'ascending' } as const;
  const next = () => go({ sort: nextSort(view.sort, property), page: '' });
  return (
    <th scope="col" class={`of-${property}`} style={{ width: widthOf(property) }} {...(sort && order)}>
      <button type="button" class="ghost sort" title={`Sort by ${labelOf(property)}`} onClick={next}>
        {labelOf(property)}
        {sort && <Icon of={isDescending ? 'descending' : 'ascending'} />}
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
    <Tag
      {...(Tag === 'a' && { href: addressWith({ user: String(user.id), at: '' }) })}
      dir={dirOf(shown)}
      title={shown}
    >
      {shown}
    </Tag>
  );
}

/** The row that has the focus. */
const focused = (): HTMLTableRowElement | null =>
  document.activeElement?.closest<HTMLTableRowElement>('tbody tr') ?? null;

/** The next row gets the focus. Beside a card the keys are the card's. */
function step(by: 1 | -1): void {
  if (view.user !== '') return;
  const rows = [...document.querySelectorAll<HTMLElement>('.table tbody tr')];
  const at = rows.indexOf(focused() ?? document.body);
  rows[Math.min(Math.max(at + by, 0), rows.length - 1)]?.querySelector('a')?.focus();
}

/** A row is one target, but for its box and its buttons, and for who marks its text. As with a link, the middle button and Ctrl open a tab. */
function open({ target, button, ctrlKey, metaKey }: MouseEvent): void {
  if (!(target instanceof Element) || target.closest('a, button, [popover], .of-choice')) return;
  const link = target.closest('tr')?.querySelector('a');
  // By Ctrl Firefox selects a cell.
  if (button > 1 || !(ctrlKey || getSelection()?.isCollapsed)) return;
  if (button === 1 || ctrlKey || metaKey) window.open(link?.href, '_blank', 'noopener');
  else link?.click();
}

export function UserTable({ users, isBusy, chosen, choose }: Props) {
  useKey('j ArrowDown', () => step(1));
  useKey('k ArrowUp', () => step(-1));
  useKey('x', () => focused()?.querySelector<HTMLInputElement>('.of-choice input')?.click());
  // The row that the mouse or the focus is in has buttons.
  const [active, setActive] = useState<number>();
  const states = useCounted({}, active === undefined ? [] : ['status']).counts.get('status');
  const hasSuspended = states?.some(({ value }) => value === SUSPENDED) === true;
  const enter = ({ target }: Event) => {
    const row = target instanceof Element ? target.closest<HTMLElement>('tbody tr') : null;
    // A menu that is open stays.
    if (row && !document.querySelector('.row-actions :popover-open')) setActive(Number(row.dataset.id));
  };
  const columns = columnsOf(view);
  const ids = users.map(({ id }) => id);
  /** The row whose box was used last: a range begins there. */
  const last = useRef<number | undefined>(undefined);
  const isShift = useRef(false);

  const isChosen = (id: number) => chosen === 'all' || chosen.has(id);
  const change = (some: readonly number[], areChosen: boolean) => {
    const others = chosen === 'all' ? ids : [...chosen];
    const left = others.filter((id) => !some.includes(id));
    choose(new Set(areChosen ? [...left, ...some] : left));
  };
  /** From the last box to this one, if it is on this page. */
  function rangeTo(id: number): readonly number[] {
    const [from, to] = [ids.indexOf(last.current ?? -1), ids.indexOf(id)];
    return from < 0 ? [id] : ids.slice(Math.min(from, to), Math.max(from, to) + 1);
  }
  const box = (label: string, some: readonly number[], user?: number) => (
    <input
      type="checkbox"
      aria-label={label}
      checked={some.every(isChosen)}
      indeterminate={!some.every(isChosen) && some.some(isChosen)}
      // A key on a box is a click, too, which does not say in every browser whether Shift was down.
      onKeyDown={({ shiftKey }) => (isShift.current = shiftKey)}
      onClick={({ currentTarget, shiftKey }) => {
        change(user !== undefined && (shiftKey || isShift.current) ? rangeTo(user) : some, currentTarget.checked);
        isShift.current = false;
        if (user !== undefined) last.current = user;
      }}
    />
  );
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: who has no mouse can scroll it, too
    <section class="table" aria-label="Users" tabIndex={0}>
      <table
        aria-busy={isBusy}
        class={view.column.length === 0 ? 'usual' : undefined}
        style={{ '--least': `${8 + 11 * columns.length}rem` }}
      >
        <thead>
          <tr>
            <td class="of-choice">{box('Choose all of this page', ids)}</td>
            {columns.map((property) => (
              <ColumnHead key={property} property={property} />
            ))}
          </tr>
        </thead>
        {/* biome-ignore lint/a11y/useKeyWithClickEvents: the link in each row does the same by a key */}
        <tbody onClick={open} onAuxClick={open} onMouseMove={enter} onFocusIn={enter}>
          {users.map((user) => {
            const isOpen = String(user.id) === view.user;
            const values = valuesOf(user);
            return (
              <tr
                key={user.id}
                data-id={user.id}
                class={isOpen || isChosen(user.id) ? 'chosen' : undefined}
                aria-current={isOpen || undefined}
              >
                <td class="of-choice">{box(`Choose ${user.name}`, [user.id], user.id)}</td>
                {columns.map((property, index) => (
                  <td key={property} class={`of-${property}`} data-label={labelOf(property)}>
                    <Cell property={property} user={user} values={values} />
                    {index === columns.length - 1 && user.id === active && (
                      <RowActions user={user} hasSuspended={hasSuspended} />
                    )}
                  </td>
                ))}
              </tr>
            );
          })}
        </tbody>
      </table>
    </section>
  );
}
