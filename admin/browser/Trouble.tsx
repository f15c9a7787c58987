import type { ComponentChildren } from 'preact';
import type { RequestFailure } from './connection.ts';
import { Button } from './parts.tsx';
import { session } from './session.ts';

type Advice = [title: string, advice: ComponentChildren];

/** More of what others say is not needed to recognise it. */
const MOST = 60;

function noToken(): Advice {
  const { signIn, refusal } = session;
  if (!signIn) {
    return [
      'A token is needed',
      'Nobody can sign in here yet: the operator of this service has to set ADMIN_CLIENT_ID.',
    ];
  }
  if (!refusal) return ['Not signed in', 'Sign in to see the users of this service.'];
  const { message } = refusal;
  // Anybody may have made the address that says it: it is quoted, and short, so that nobody takes it for a sentence of this page.
  const said = <q>{message.length > MOST ? `${message.slice(0, MOST)}…` : message}</q>;
  return ['Not signed in', <>The sign-in has failed, in words that are not of this page: {said}</>];
}

/** What to do about a failure. */
function adviceFor({ status, message, retryAfterS }: RequestFailure): Advice {
  const again = `The page tries again ${retryAfterS === undefined ? 'soon' : `in ${retryAfterS} s`}.`;
  if (status === 401 || (status === 403 && !session.isOpen)) return noToken();
  const advice: Readonly<Record<number, Advice>> = {
    0: ['No connection', 'Check the network. The page tries again by itself.'],
    400: ['Not understood', <q>{message}</q>],
    403: ['Not allowed', 'Your account may not do this. Ask whoever gives out its rights for more.'],
    429: ['Too many requests', again],
    503: ['The service is busy', again],
  };
  return advice[status] ?? ['Something went wrong', status < 500 ? message : `${message}. ${again}`];
}

const SignInButton = () => (session.signIn ? <Button text="Sign in" class="" onClick={session.signIn} /> : null);

/** Why there is nothing to show. */
export function Trouble({ failure }: { failure: RequestFailure }) {
  const [title, advice] = adviceFor(failure);
  return (
    <div class="bar hstack trouble" role="alert">
      <h2>{title}</h2>
      <span>{advice}</span>
      {[401, 403].includes(failure.status) && <SignInButton />}
    </div>
  );
}

/** Why something was not saved, unless its fields say so themselves. What was entered stays. */
export function FailureLine({ failure }: { failure: RequestFailure | undefined }) {
  if (!failure || Object.keys(failure.members).length > 0) return null;
  return (
    <p role="alert">
      {failure.status === 401 ? 'Your sign-in has ended.' : failure.message}{' '}
      {failure.status === 401 && <SignInButton />}
    </p>
  );
}
