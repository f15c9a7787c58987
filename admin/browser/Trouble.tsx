import type { ComponentChildren } from 'preact';
import { Button } from './Button.tsx';
import type { RequestFailure } from './connection.ts';
import type { Session } from './session.ts';
import { useShared } from './shared.ts';

type Advice = [title: string, advice: ComponentChildren];

/** What to do about a failure. */
function adviceFor({ status, message, retryAfterS }: RequestFailure, { signIn, isOpen }: Session): Advice {
  const again = `The page tries again ${retryAfterS === undefined ? 'soon' : `in ${retryAfterS} s`}.`;
  const noToken: Advice = signIn
    ? ['Not signed in', 'Sign in to see the users of this service.']
    : ['A token is needed', 'Nobody can sign in here yet: the operator of this service has to set ADMIN_CLIENT_ID.'];
  const advice: Readonly<Record<number, Advice>> = {
    0: ['No connection', 'Check the network. The page tries again by itself.'],
    400: ['Not understood', <q>{message}</q>],
    401: noToken,
    403: isOpen ? ['Not allowed', 'Your account may not do this. Ask whoever gives out its rights for more.'] : noToken,
    429: ['Too many requests', again],
    503: ['The service is busy', again],
  };
  return advice[status] ?? ['Something went wrong', status < 500 ? message : `${message}. ${again}`];
}

function SignInButton() {
  const { signIn } = useShared().session;
  return signIn ? <Button text="Sign in" class="" onClick={() => signIn()} /> : null;
}

export const Loading = () => (
  <p class="notice" aria-busy="true">
    Loading …
  </p>
);

/** Why there is nothing to show. */
export function Trouble({ failure }: { failure: RequestFailure }) {
  const [title, advice] = adviceFor(failure, useShared().session);
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
