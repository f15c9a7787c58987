import type { Change } from './connection.ts';
import { Button } from './parts.tsx';
import { type Doing, shared } from './state.ts';
import { agoOf } from './time.ts';
import { takeBack } from './undo.ts';

/** By how much the clocks of the service and of this machine may differ, in milliseconds. */
const APART_MS = 5_000;

/** After so long it is among what happened, or never will be. */
const GONE_MS = 60_000;

const isTold = ({ at, of }: Doing, changes: readonly Change[]): boolean =>
  changes.some(
    ({ id, edit, at: then }) => edit === of || (String(id) === of && Date.parse(then) > Date.parse(at) - APART_MS),
  );

/** The changes that this tab has made a moment ago: the feed has them some seconds later. */
export function Doings({ changes }: { changes: readonly Change[] }) {
  const recent = shared.doings.filter(
    (doing) => Date.now() - Date.parse(doing.at) < GONE_MS && !isTold(doing, changes),
  );
  return (
    <ol class="changes unstyled" aria-label="Done here a moment ago">
      {recent.map((doing) => (
        <li key={doing.at + doing.of} class="change">
          <time dateTime={doing.at} class="text-light">
            {agoOf(doing.at)}
          </time>
          <i class="dot of-none" aria-hidden="true" />
          <div class="what" dir="auto">
            {doing.text}
          </div>
          <span class="who">you, here</span>
          <span class="action">
            {doing.undo && <Button text="Undo" class="link" onClick={() => doing.undo && takeBack(doing.undo)} />}
          </span>
        </li>
      ))}
    </ol>
  );
}
