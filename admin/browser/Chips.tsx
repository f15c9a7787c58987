import { filterText } from './filters.ts';
import { useShared } from './shared.ts';
import { type View, withoutValue } from './view.ts';

/** The filters in use but the words of the box, each with one of its values. */
export const chipsOf = ({ filters }: Pick<View, 'filters'>): [parameter: string, value: string, text: string][] =>
  Object.entries(filters).flatMap(([parameter, values]) =>
    parameter === 'q' ? [] : values.map((value) => [parameter, value, filterText(parameter, value)] as const),
  ) as [string, string, string][];

/** The filters in use. Each can be taken away. */
export function Chips() {
  const { view, go } = useShared();
  return (
    <ul class="chips hstack unstyled" aria-label="Filters in use">
      {chipsOf(view).map(([parameter, value, text]) => (
        <li key={text} class="chip">
          <span dir="auto" title={text}>
            {text}
          </span>
          <button
            type="button"
            class="ghost"
            aria-label={`Remove ${text}`}
            onClick={() => go((now) => withoutValue(now, parameter, value))}
          >
            ×
          </button>
        </li>
      ))}
    </ul>
  );
}
