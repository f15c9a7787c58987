import type { ValueCounts } from './connection.ts';
import type { Filters } from './filters.ts';
import { variantOf } from './parts.tsx';
import { counted, numberOf } from './time.ts';
import { listAddress } from './view.ts';

/** Statuses that are shown by themselves. The rest are one. */
const MOST = 7;

interface Segment {
  text: string;
  kind: string;
  count: number;
  filters: Filters;
}

/** Those without a colour of their own: the largest is grey, the others pale. */
function kindsOf(texts: readonly string[]): string[] {
  const plain = texts.find((text) => variantOf(text) === 'secondary');
  return texts.map((text) => {
    const variant = variantOf(text);
    return variant !== 'secondary' ? variant : text === plain ? 'plain' : 'pale';
  });
}

/** The statuses, the largest first, then the rest, then the users without one. */
function segmentsOf({ counts, total }: ValueCounts): Segment[] {
  const known = counts.flatMap(({ status, count }) => (status === undefined ? [] : [{ status, count }]));
  const shown = known.length > MOST + 1 ? known.slice(0, MOST) : known;
  const kinds = kindsOf(shown.map(({ status }) => status));
  const segments = shown.map(({ status, count }, at) => ({
    ...{ text: status, kind: kinds[at] ?? 'pale', count, filters: { status: [status] } },
  }));
  const none = counts.find(({ status }) => status === undefined)?.count ?? 0;
  const rest = total - none - segments.reduce((sum, { count }) => sum + count, 0);
  const others = { 'status.not': shown.map(({ status }) => status), 'status.missing': ['false'] };
  return [
    ...segments,
    { text: 'others', kind: 'pale', count: rest, filters: others },
    { text: 'no status', kind: 'none', count: none, filters: { 'status.missing': ['true'] } },
  ].filter(({ count }) => count > 0);
}

/** A segment for each status, which leads to its users, and under it what it is. */
export function StatusBar({ counts }: { counts: ValueCounts }) {
  const segments = segmentsOf(counts);
  return (
    <>
      <ul class="parts unstyled" aria-label="By status">
        {segments.map(({ text, kind, count, filters }) => (
          <li key={text + kind} style={{ flexGrow: count }}>
            <a href={listAddress(filters)} class={`part of-${kind}`} title={`${text}, ${counted(count, 'user')}`}>
              <span class="unseen">{`${text}, ${counted(count, 'user')}`}</span>
            </a>
          </li>
        ))}
      </ul>
      {/* The same links once more, for a mouse: a segment may be narrow. */}
      <ul class="legend unstyled" aria-hidden="true">
        {segments.map(({ text, kind, count, filters }) => (
          <li key={text + kind}>
            <a href={listAddress(filters)} class="unstyled" tabIndex={-1} title={text}>
              <i class={`dot of-${kind}`} />
              <span dir="auto">{kind === 'none' ? <em>{text}</em> : text}</span>
              <b>{numberOf(count)}</b>
            </a>
          </li>
        ))}
      </ul>
    </>
  );
}
