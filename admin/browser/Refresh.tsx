import { useEffect, useState } from 'preact/hooks';
import { ask, type Query } from './connection.ts';
import { Button } from './parts.tsx';
import { numberOf } from './time.ts';

/** How often it is asked whether a list is still as it is shown: a unit each. */
const ASK_MS = 30_000;

interface Props {
  /** The tag of the list that is shown, what it asks for, and how many users it has. */
  etag: string;
  query: Query;
  total: number;
  reload(): void;
}

/**
 * Says that the list is not as it is shown any more, or offers to read it again. Asks by a HEAD, as long as the tab is in sight. Failures
 * say nothing: the next reading does.
 */
export function Refresh({ etag, query, total, reload }: Props) {
  // How many users more there are. None more: something else is different.
  const [more, setMore] = useState<number>();
  useEffect(() => {
    const ended = new AbortController();
    const { signal } = ended;
    const look = async () => {
      if (document.hidden) return;
      const response = await ask('HEAD', '', { query, headers: { 'if-none-match': etag }, signal, isQuiet: true });
      if (response.status !== 304) setMore(Number(response.headers.get('x-total-count') ?? total) - total);
    };
    const tryToLook = () => void look().catch(() => undefined);
    const timer = setInterval(tryToLook, ASK_MS);
    addEventListener('focus', tryToLook, { signal });
    document.addEventListener('visibilitychange', tryToLook, { signal });
    return () => {
      clearInterval(timer);
      ended.abort();
    };
  }, []);
  if (more === undefined) return <Button sign="refresh" class="ghost refresh" name="Read again" onClick={reload} />;
  const [text, name] =
    more > 0
      ? [`${numberOf(more)} new`, `${numberOf(more)} new: show them`]
      : ['changed', 'Something has changed: read again'];
  return <Button sign="refresh" text={text} class="newer" name={name} onClick={reload} />;
}
