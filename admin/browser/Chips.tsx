import { namedFilters, withoutValue } from './filters.ts';
import { useShared } from './shared.ts';
import { listOf } from './view.ts';

/** The filters in use, but for the words of the box. Each can be taken away. */
export function Chips() {
  const { view, go } = useShared();
  return (
    <ul class="chips hstack unstyled" aria-label="Filters in use">
      {namedFilters({ ...view.filters, q: [] }).map(({ parameter, value, text }) => (
        <li key={text} class="chip flex items-center">
          <span dir="auto" title={text}>
            {text}
          </span>
          <button
            type="button"
            class="ghost"
            aria-label={`Remove ${text}`}
            onClick={() => go(({ filters }) => listOf(withoutValue(filters, parameter, value)))}
          >
            ×
          </button>
        </li>
      ))}
    </ul>
  );
}
