import type { Page } from './connection.ts';
import { Button } from './parts.tsx';
import { go } from './state.ts';
import { numberOf } from './time.ts';

const SIZES = [20, 50, 100];

/** Where one is in the list, and the ways to other pages. */
export function Pager({ page }: { page: Page }) {
  const { totalElements, totalPages, number, size, content, first, last } = page;
  const from = number * size + 1;
  const shown = content.length === 0 ? 'None' : `${numberOf(from)}–${numberOf(from + content.length - 1)}`;
  const step = (label: string, to: number, isOff: boolean, sign: string) => (
    <Button text={sign} name={label} disabled={isOff} onClick={() => go({ page: String(to) })} />
  );
  function turnTo(input: HTMLInputElement): void {
    const wanted = Math.trunc(Number(input.value)) || 1;
    const reached = Math.min(Math.max(wanted, 1), Math.max(totalPages, 1));
    input.value = String(reached);
    go({ page: String(reached - 1) });
  }
  return (
    <nav class="pager bar hstack justify-between" aria-label="Pages">
      <span>
        {shown} of {numberOf(totalElements)}
      </span>
      <select
        class="wide"
        aria-label="Per page"
        value={size}
        onChange={({ currentTarget }) => go({ size: currentTarget.value, page: '' })}
      >
        {SIZES.map((each) => (
          <option key={each} value={each}>{`${each} per page`}</option>
        ))}
      </select>
      <span class="hstack gap-2">
        {step('Previous page', Math.min(number, totalPages) - 1, first, '‹')}
        <input
          key={number}
          aria-label="Page"
          size={4}
          inputMode="numeric"
          defaultValue={String(number + 1)}
          onChange={({ currentTarget }) => turnTo(currentTarget)}
        />
        <span>of {numberOf(totalPages)}</span>
        {step('Next page', number + 1, last, '›')}
      </span>
    </nav>
  );
}
