import { useEffect, useState } from 'preact/hooks';
import { ask, type Query } from './connection.ts';

/** How often it is asked whether a list is still as it is shown: a unit each. */
const ASK_MS = 30_000;

/** The news of a list that is shown: the number of users more, or that something is different. */
export type Newer = number | 'changed' | undefined;

/**
 * Asks by a HEAD whether a list has changed, as long as its tab is in sight. Failures say nothing: the next reading does.
 *
 * @param etag the tag of the list that is shown. Empty: none is, or it is read already
 * @param total how many users it has
 */
export function useNewer(query: Query, etag: string, total: number): Newer {
  const [newer, setNewer] = useState<{ of: string; found: Newer }>();
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
    const tryToLook = () => void look().catch(() => undefined);
    const timer = setInterval(tryToLook, ASK_MS);
    addEventListener('focus', tryToLook, { signal });
    document.addEventListener('visibilitychange', tryToLook, { signal });
    return () => {
      clearInterval(timer);
      ended.abort();
    };
  }, [etag, JSON.stringify(query)]);
  return newer?.of === etag ? newer.found : undefined;
}
