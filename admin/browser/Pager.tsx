import type { Page } from './connection.ts';
import { Icon } from './icons.tsx';
import { Button } from './parts.tsx';
import { go } from './state.ts';
import { numberOf } from './time.ts';

export function Pager({ page }: { page: Page }) {
  const { totalElements, totalPages, number, size, content, first, last } = page;
  const from = number * size + 1;
  const shown = content.length === 0 ? 'None' : `${numberOf(from)}–${numberOf(from + content.length - 1)}`;
  const turnTo = (to: number) => go({ page: String(Math.max(Math.min(to, totalPages - 1), 0)) });
  return (
    <nav class="pager bar hstack" aria-label="Pages">
      <span>
        {shown} of {numberOf(totalElements)}
      </span>
      <select
        class="wide"
        aria-label="Per page"
        value={size}
        onChange={({ currentTarget }) => go({ size: currentTarget.value, page: '' })}
      >
        {[20, 50, 100].map((each) => (
          <option key={each} value={each}>{`${each} per page`}</option>
        ))}
      </select>
      <span class="end hstack gap-2">
        <Button text={<Icon of="left" />} name="Previous page" disabled={first} onClick={() => turnTo(number - 1)} />
        <span class="wide">Page</span>
        <input
          key={number}
          aria-label="Page"
          size={Math.max(1, String(number + 1).length)}
          inputMode="numeric"
          defaultValue={String(number + 1)}
          onChange={({ currentTarget }) => turnTo(Number(currentTarget.value) - 1 || 0)}
        />
        <span>of {numberOf(totalPages)}</span>
        <Button text={<Icon of="right" />} name="Next page" disabled={last} onClick={() => turnTo(number + 1)} />
      </span>
    </nav>
  );
}
