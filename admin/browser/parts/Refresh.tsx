import { useEffect, useState } from 'preact/hooks';
import { numberOf } from '../data/time.ts';
import { Button } from './parts.tsx';

/** How often it is asked whether something is still as it is shown: a unit each. */
const ASK_MS = 30_000;

interface Props {
  /** How many lines more there are. None more: something else is different. Undefined: all is as it is shown. */
  look(signal: AbortSignal): Promise<number | undefined>;
  reload(): void;
}

/** Says that something is not as it is shown any more, or offers to read it again. Failures say nothing: the next reading does. */
export function Refresh({ look, reload }: Props) {
  const [more, setMore] = useState<number>();
  useEffect(() => {
    const ended = new AbortController();
    const { signal } = ended;
    const show = (found: number | undefined) => signal.aborted || setMore(found);
    const tryToLook = () => document.hidden || void look(signal).then(show, () => undefined);
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
