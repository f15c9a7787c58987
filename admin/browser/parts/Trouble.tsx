import { useEffect, useState } from 'preact/hooks';
import { ask, type RequestFailure } from '../data/connection.ts';
import { short } from '../data/filters.ts';
import { shared } from '../data/state.ts';
import { clockOf } from '../data/time.ts';
import { session } from '../session/session.ts';
import { Icon } from './icons.tsx';
import { Button } from './parts.tsx';

/** Why nobody is signed in, if somebody can be. */
function NoToken() {
  const { signIn, refusal } = session;
  if (!signIn) return 'Nobody can sign in here yet: the operator of this service has to set ADMIN_CLIENT_ID.';
  if (!refusal) return 'Sign in to see the users of this service.';
  const { message } = refusal;
  // Anybody may have made the address that says it: it is quoted, and short, so that nobody takes it for a sentence of this page.
  const said = <q>{short(message)}</q>;
  return <>The sign-in has failed, in words that are not of this page: {said}</>;
}

const TITLES: Readonly<Record<number, string>> = {
  0: 'No answer',
  400: 'Not understood',
  401: 'Not signed in',
  403: 'Not allowed',
  404: 'No such user',
  429: 'Too many requests',
  503: 'The service is busy',
};

/** When a request that no host answered is sent again, in seconds. */
const AGAIN_S = 5;

/** Asks for little until there is an answer: after a write that was lost nothing else is read again. */
function useNextTry(isOffline: boolean): void {
  const [tries, setTries] = useState(0);
  useEffect(() => {
    if (!isOffline) {
      // All that had no answer is asked for again.
      dispatchEvent(new Event('online'));
      return undefined;
    }
    const ended = new AbortController();
    const { signal } = ended;
    const look = () => ask('HEAD', '', { query: { size: 1 }, signal, isQuiet: true }).catch(() => setTries(tries + 1));
    const timer = setTimeout(look, AGAIN_S * 1_000);
    addEventListener('online', look, { signal });
    return () => {
      clearTimeout(timer);
      ended.abort();
    };
  }, [isOffline, tries]);
}

/** Why nothing can be read or written, above all that is shown. */
export function Outage() {
  const { outage, answeredAt } = shared;
  useNextTry(outage === 'offline');
  if (outage === 'expired')
    return (
      <div class="bar hstack banner" role="alert">
        <Icon of="clock" />
        <h2>Your sign-in has ended.</h2>
        <Button text="Sign in" class="end" onClick={session.signIn} />
      </div>
    );
  if (outage !== 'offline') return null;
  return (
    <div class="bar hstack banner offline" role="alert">
      <Icon of="offline" />
      <h2>No connection.</h2>
      <span>
        {answeredAt !== undefined && `Shown: as of ${clockOf(answeredAt)}. `}Next try in {AGAIN_S} s.
      </span>
      <Button text="Try now" class="outline end" onClick={() => dispatchEvent(new Event('online'))} />
    </div>
  );
}

interface Props {
  failure: RequestFailure;
  /** Whether what was read before is still shown. */
  isShown?: boolean;
  /** Whether it is asked for again by itself, if that helps. */
  isTried?: boolean | undefined;
  /** Whether a panel that all else waits for is before what is said above. */
  isModal?: boolean | undefined;
}

/** Whether it is said above all that is shown. */
const isSaidAbove = (status: number): boolean =>
  (status === 0 && shared.outage === 'offline') || (status === 401 && shared.outage === 'expired');

/** The sentence about a failure, and what to do about it. */
export function Trouble({ failure, isShown, isTried, isModal = false }: Props) {
  const { status: said, message, retryAfterS } = failure;
  const { isOpen, signIn } = session;
  if (isSaidAbove(said) && !isModal) return isShown ? null : <p class="notice p-4 align-center">Not read yet.</p>;
  // Where no token is sent, a gateway may say the one or the other.
  const status = said === 403 && !isOpen() ? 401 : said;
  return (
    <div class="bar hstack trouble" role="alert">
      <h2>{TITLES[status] ?? (status < 500 ? 'Not done' : 'Something went wrong')}</h2>
      <span>
        {status === 401 && (isModal ? 'Close this panel to sign in again.' : <NoToken />)}
        {status === 0 && !isTried && 'Whether it was done is not known. Do it again.'}
        {status !== 401 && status !== 0 && <q>{message}</q>}
        {isTried && retryAfterS !== undefined && ` The page tries again in ${retryAfterS} s.`}
      </span>
      {[401, 403].includes(status) && signIn && !isModal && <Button text="Sign in" class="" onClick={signIn} />}
    </div>
  );
}

/** Why something was not saved, unless its fields say so themselves. The input stays. */
export const NotSaved = ({ failure, ...how }: Omit<Props, 'failure'> & { failure: RequestFailure | undefined }) =>
  failure && Object.keys(failure.members).length === 0 ? <Trouble failure={failure} {...how} isShown /> : null;
