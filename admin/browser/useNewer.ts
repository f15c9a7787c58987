import { useEffect, useState } from 'preact/hooks';
import { ask, type Query } from './connection.ts';

/** How often it is asked whether a list is still as it is shown: a unit each. */
const ASK_MS = 30_000;

/** The news of a list that is shown: the number of users more, or that something is different. */
export type Newer = number | 'changed' | undefined;

/** The tag of a list, and how many users it has. */
export interface Shown {
  etag: string;
  total: number;
}

/**
 * Asks by a HEAD whether a list has changed, as long as its tab is in sight. Failures say nothing: the next reading does.
 *
 * @param shown the list that is shown. Undefined: none, or it is read already
 */
export function useNewer(query: Query, shown: Shown | undefined): Newer {
  const [newer, setNewer] = useState<{ of: string; found: Newer }>();
  const { etag = '', total = 0 } = shown ?? {};
  useEffect(() => {
    if (etag === '') return undefined;
    const ended = new AbortController();
    const { signal } = ended;
    const look = async () => {
      if (document.hidden) return;
      const response = await ask('HEAD', '', { query, headers: { 'if-none-match': etag }, signal, isQuiet: true });
      if (response.status === 304) return;
      const more = Number(response.headers.get('x-total-count') ?? total) - total;
      setNewer({ of: etag, found: more > 0 ? more : 'changed' });
    };
    const ask30 = () => void look().catch(() => undefined);
    const timer = setInterval(ask30, ASK_MS);
    addEventListener('focus', ask30, { signal });
    document.addEventListener('visibilitychange', ask30, { signal });
    return () => {
      clearInterval(timer);
      ended.abort();
    };
  }, [etag, JSON.stringify(query)]);
  return newer && newer.of === etag ? newer.found : undefined;
}
