import type { RequestFailure } from './failure.ts';
import type { Session } from './session.ts';

type Advice = [title: string, advice: string];

/** What to do about a failure. */
function adviceFor({ status, message, retryAfterS }: RequestFailure, session: Session): Advice {
  const again = `The page tries again ${retryAfterS === undefined ? 'soon' : `in ${retryAfterS} s`}.`;
  const noToken: Advice = session.signIn
    ? ['Not signed in', 'Sign in to see the users of this service.']
    : ['A token is needed', 'Nobody can sign in here yet: the operator of this service has to set ADMIN_CLIENT_ID.'];
  const advice: Readonly<Record<number, Advice>> = {
    0: ['No connection', 'Check the network. The page tries again by itself.'],
    401: noToken,
    403: session.isOpen
      ? ['Not allowed', 'Your account may not do this. Ask whoever gives out its rights for more.']
      : noToken,
    404: ['Nothing here', message],
    429: ['Too many requests', again],
    503: ['The service is busy', again],
  };
  return advice[status] ?? ['Something went wrong', status < 500 ? message : `${message}. ${again}`];
}

const SignInButton = ({ session }: { session: Session }) => (
  <button type="button" onClick={() => session.signIn?.()}>
    Sign in
  </button>
);

/** Why there is nothing to show. */
export function Trouble({ failure, session }: { failure: RequestFailure; session: Session }) {
  const [title, advice] = adviceFor(failure, session);
  return (
    <div class="notice" role="alert">
      <h2>{title}</h2>
      <p>{advice}</p>
      {[401, 403].includes(failure.status) && session.signIn && <SignInButton session={session} />}
    </div>
  );
}

/** Why something was not saved, unless its fields say so themselves. What was entered stays. */
export function FailureLine({ failure, session }: { failure: RequestFailure | undefined; session: Session }) {
  if (!failure || Object.keys(failure.members).length > 0) return null;
  return (
    <p role="alert">
      {failure.status === 401 ? 'Your sign-in has ended.' : failure.message}{' '}
      {failure.status === 401 && session.signIn && <SignInButton session={session} />}
    </p>
  );
}
