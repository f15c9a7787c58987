import type { RequestFailure } from './failure.ts';
import type { Session } from './session.ts';
import { isPassing } from './useReading.ts';

type Advice = [title: string, advice: string];

/** What to do about a failure. */
function adviceFor({ status, message, retryAfterS }: RequestFailure, session: Session): Advice {
  const again = `The page tries again ${retryAfterS === undefined ? 'soon' : `in ${retryAfterS} s`}.`;
  const noToken: Advice = session.signIn
    ? ['Not signed in', 'Sign in to see the users of this service.']
    : ['A token is needed', 'Nobody can sign in here yet: the operator of this service has to set ADMIN_CLIENT_ID.'];
  const advice: Readonly<Record<number, Advice>> = {
    0: ['No connection', 'Check the network. The page tries again by itself.'],
    400: ['This list cannot be read', message],
    401: noToken,
    403: session.isOpen
      ? ['Not allowed', 'Your account may not do this. Ask whoever gives out its rights for more.']
      : noToken,
    429: ['Too many requests', again],
    503: ['The service is busy', again],
  };
  return advice[status] ?? ['Something went wrong', message];
}

const SignInButton = ({ session }: { session: Session }) => (
  <button type="button" onClick={() => session.signIn?.()}>
    Sign in
  </button>
);

/** Why there is nothing to show. */
export function Trouble({ failure, session, retry }: { failure: RequestFailure; session: Session; retry(): void }) {
  const [title, advice] = adviceFor(failure, session);
  const maySignIn = [401, 403].includes(failure.status) && session.signIn;
  return (
    <div class="notice" role="alert">
      <h2>{title}</h2>
      <p>{advice}</p>
      {maySignIn && <SignInButton session={session} />}
      {!maySignIn && (isPassing(failure) || failure.status >= 500) && (
        <button type="button" class="outline" onClick={retry}>
          Try again now
        </button>
      )}
    </div>
  );
}

interface LineProps {
  failure: RequestFailure | undefined;
  session: Session;
  /** Whether there is a form that says what is wrong with which field. */
  hasForm?: boolean;
}

/** Why something was not saved, unless its fields say so themselves. What was entered stays. */
export function FailureLine({ failure, session, hasForm = true }: LineProps) {
  if (!failure || (hasForm && Object.keys(failure.members).length > 0)) return null;
  return (
    <p role="alert">
      {failure.status === 401 ? 'Your sign-in has ended.' : failure.message}{' '}
      {failure.status === 401 && session.signIn && <SignInButton session={session} />}
    </p>
  );
}
