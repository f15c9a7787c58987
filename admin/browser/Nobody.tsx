import { chipsOf } from './Chips.tsx';
import type { Connection } from './connection.ts';
import { useShared } from './shared.ts';
import { numberOf } from './time.ts';
import { useReading } from './useReading.ts';
import { type View, withFilterOf, withoutValue, writeView } from './view.ts';

/** More would be too many requests. */
const MOST = 6;

/** Lists that ask for a little less, with those that would find somebody, the nearest first. */
async function readWays(connection: Connection, view: View, signal: AbortSignal) {
  const q = view.filters.q?.[0]?.trim() ?? '';
  const shorter = q.slice(0, -2);
  const wider = chipsOf(view).map(([parameter, value, text]): [string, View] => [
    `Without “${text}”`,
    withoutValue(view, parameter, value),
  ]);

  if (q !== '') wider.push([`Without “${q}”`, withFilterOf(view, 'q', [])]);
  if (shorter.length > 2) wider.push([`With “${shorter}”`, withFilterOf(view, 'q', [shorter])]);

  // A list without any filter is no answer.
  const some = wider.filter(([, { filters }]) => Object.keys(filters).length > 0).slice(-MOST);
  const ways = some.map(async ([text, way]) => {
    const { total } = await connection.counts({ ...way.filters, by: ['status'] }, signal);
    return { text, href: writeView(way), total };
  });
  return (await Promise.all(ways)).filter(({ total }) => total > 0).toSorted((a, b) => a.total - b.total);
}

/** Nobody is shown: what was searched for, and the nearest that would find somebody. @param words what was asked for */
export function Nobody({ total, words }: { total: number; words: string }) {
  const { connection, view, go } = useShared();
  const { value: ways } = useReading(JSON.stringify(view.filters), (signal) => readWays(connection, view, signal));
  const q = view.filters.q?.[0]?.trim() ?? '';
  if (total > 0) return <p class="notice">The list ends before this page.</p>;
  return (
    <div class="notice">
      <p>
        <b>Nobody matches {words}</b>
      </p>
      {q !== '' && <p>Its words are looked for in names, e-mails, IDs and external IDs, ignoring case and accents.</p>}
      {ways?.map(({ text, href, total: found }) => (
        <p key={text}>
          <a href={href}>{text}</a>: {numberOf(found)}
        </p>
      ))}
      {/^\d{1,16}$/.test(q) && (
        <p>
          <a href={writeView({ ...view, user: q })}>Whoever had the ID {q}</a>
        </p>
      )}
      <button type="button" class="outline" onClick={() => go({ filters: {}, page: 0 })}>
        Clear all
      </button>
    </div>
  );
}
