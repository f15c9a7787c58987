import type { ComponentChildren } from 'preact';
import type { RequestFailure } from './connection.ts';
import { Button } from './parts.tsx';
import { session } from './session.ts';

/** More of what others say is not needed to recognise it. */
const MOST = 60;

/** Why nobody is signed in, if somebody can be. */
function NoToken() {
  const { signIn, refusal } = session;
  if (!signIn) return 'Nobody can sign in here yet: the operator of this service has to set ADMIN_CLIENT_ID.';
  if (!refusal) return 'Sign in to see the users of this service.';
  const { message } = refusal;
  // Anybody may have made the address that says it: it is quoted, and short, so that nobody takes it for a sentence of this page.
  const said = <q>{message.length > MOST ? `${message.slice(0, MOST)}…` : message}</q>;
  return <>The sign-in has failed, in words that are not of this page: {said}</>;
}

const TITLES: Readonly<Record<number, string>> = {
  0: 'No connection',
  400: 'Not understood',
  401: 'Not signed in',
  403: 'Not allowed',
  404: 'No such user',
  429: 'Too many requests',
  503: 'The service is busy',
};

interface Props {
  failure: RequestFailure;
  children?: ComponentChildren;
}

/** The sentence about a failure, and what to do about it. */
export function Trouble({ failure: { status: said, message }, children }: Props) {
  const { isOpen, signIn } = session;
  // Where no token is sent, a gateway may say the one or the other.
  const status = said === 403 && !isOpen() ? 401 : said;
  return (
    <div class="bar hstack trouble" role="alert">
      <h2>{TITLES[status] ?? (status < 500 ? 'Not done' : 'Something went wrong')}</h2>
      <span>
        {status === 401 ? <NoToken /> : <q>{message}</q>}
        {children}
      </span>
      {[401, 403].includes(status) && signIn && <Button text="Sign in" class="" onClick={signIn} />}
    </div>
  );
}

/** Why something was not saved, unless its fields say so themselves. What was entered stays. */
export const NotSaved = ({ failure }: { failure: RequestFailure | undefined }) =>
  failure && Object.keys(failure.members).length === 0 ? <Trouble failure={failure} /> : null;
