import { useShared } from './shared.ts';
import { writeView } from './view.ts';

/** Nobody is shown: what was searched for. @param words what was asked for */
export function Nobody({ total, words }: { total: number; words: string }) {
  const { view, go } = useShared();
  const q = view.filters.q?.[0]?.trim() ?? '';
  if (total > 0) return <p class="notice">The list ends before this page.</p>;
  return (
    <div class="notice">
      <p>
        <b>Nobody matches {words}</b>
      </p>
      {q !== '' && <p>Its words are looked for in names, e-mails, IDs and external IDs, ignoring case and accents.</p>}
      {/^\d{1,16}$/.test(q) && <a href={writeView({ ...view, user: q })}>Whoever had the ID {q}</a>}{' '}
      <button type="button" class="outline" onClick={() => go({ filters: {}, page: 0 })}>
        Clear all
      </button>
    </div>
  );
}
