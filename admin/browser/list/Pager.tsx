import type { Page } from '../data/connection.ts';
import { go } from '../data/state.ts';
import { numberOf } from '../data/time.ts';
import { Costs } from '../parts/Costs.tsx';
import { Button, Select } from '../parts/parts.tsx';
import { may } from '../session/session.ts';

const SIZES = ['20', '50', '100'].map((size) => [size, `${size} per page`] as const);

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
      <Select
        label="Per page"
        class="wide"
        value={String(size)}
        options={SIZES}
        onValue={(next) => go({ size: next, page: '' })}
      />
      <span class="wide">{may('users:audit') && <Costs />}</span>
      <span class="end hstack gap-2">
        <Button sign="left" name="Previous page" disabled={first} onClick={() => turnTo(number - 1)} />
        <span class="wide">Page</span>
        <input
          key={number}
          aria-label="Page"
          inputMode="numeric"
          size={String(number + 1).length}
          defaultValue={String(number + 1)}
          onChange={({ currentTarget }) => {
            // "1,234", as the page itself writes it.
            const typed = Number(currentTarget.value.replace(/\D/g, ''));
            currentTarget.value = String(number + 1);
            if (typed > 0) turnTo(typed - 1);
          }}
        />
        <span>of {numberOf(totalPages)}</span>
        <Button sign="right" name="Next page" disabled={last} onClick={() => turnTo(number + 1)} />
      </span>
    </nav>
  );
}
