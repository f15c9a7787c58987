import type { Page } from './connection.ts';
import { numberOf } from './time.ts';
import type { Go } from './useView.ts';
import { SIZES } from './view.ts';

/** Where one is in the list, and the ways to other pages. */
export function Pager({ page, go }: { page: Page; go: Go }) {
  const { totalElements, totalPages, number, size, content, first, last } = page;
  const from = number * size + 1;
  const shown = content.length === 0 ? 'None' : `${numberOf(from)}–${numberOf(from + content.length - 1)}`;
  const step = (label: string, to: number, isOff: boolean, sign: string) => (
    <button type="button" class="outline" aria-label={label} disabled={isOff} onClick={() => go({ page: to })}>
      {sign}
    </button>
  );
  return (
    <nav class="pager hstack" aria-label="Pages">
      <span role="status">
        {shown} of <b>{numberOf(totalElements)}</b>
      </span>
      <span class="hstack gap-2">
        {step('First page', 0, first, '«')}
        {step('Previous page', Math.min(number, totalPages) - 1, first, '‹')}
        <label>
          Page{' '}
          <input
            key={number}
            size={4}
            inputMode="numeric"
            defaultValue={String(number + 1)}
            onChange={({ currentTarget }) => {
              const wanted = Math.trunc(Number(currentTarget.value)) || 1;
              const reached = Math.min(Math.max(wanted, 1), Math.max(totalPages, 1));
              currentTarget.value = String(reached);
              go({ page: reached - 1 });
            }}
          />
        </label>{' '}
        of {numberOf(totalPages)}
        {step('Next page', number + 1, last, '›')}
        {step('Last page', totalPages - 1, totalPages === 0 || number === totalPages - 1, '»')}
      </span>
      <label>
        Per page{' '}
        <select value={size} onChange={({ currentTarget }) => go({ size: Number(currentTarget.value), page: 0 })}>
          {SIZES.map((each) => (
            <option key={each} value={each}>
              {each}
            </option>
          ))}
        </select>
      </label>
    </nav>
  );
}
