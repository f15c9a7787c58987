import type { RequestFailure } from './failure.ts';
import type { Session } from './session.ts';
import { isPassing } from './useReading.ts';

interface Advice {
  title: string;
  advice: string;
}

/** What to do about a failure. */
function adviceFor({ status, message, retryAfterS }: RequestFailure, session: Session): Advice {
  if (status === 0) {
    return { title: 'No connection', advice: 'Check the network. The page tries again by itself.' };
  }
  if (status === 401 || (status === 403 && !session.isOpen)) {
    if (session.signIn) return { title: 'Not signed in', advice: 'Sign in to see the users of this service.' };
    return {
      title: 'A token is needed',
      advice: 'Nobody can sign in here yet: the operator of this service has to set ADMIN_CLIENT_ID.',
    };
  }
  if (status === 403) {
    return { title: 'Not allowed', advice: 'Your account may not do this. Ask whoever gives out its rights for more.' };
  }
  const soon = retryAfterS === undefined ? 'soon' : `in ${retryAfterS} s`;
  if (status === 429) return { title: 'Too many requests', advice: `The page tries again ${soon}.` };
  if (status === 503) return { title: 'The service is busy', advice: `The page tries again ${soon}.` };
  if (status === 400) return { title: 'This list cannot be read', advice: message };
  return { title: 'Something went wrong', advice: message };
}

export function Trouble({ failure, session, retry }: { failure: RequestFailure; session: Session; retry(): void }) {
  const { title, advice } = adviceFor(failure, session);
  const maySignIn = [401, 403].includes(failure.status) && session.signIn;
  return (
    <div class="notice" role="alert">
      <h2>{title}</h2>
      <p>{advice}</p>
      {maySignIn && (
        <button type="button" onClick={() => session.signIn?.()}>
          Sign in
        </button>
      )}
      {!maySignIn && (isPassing(failure) || failure.status >= 500) && (
        <button type="button" class="outline" onClick={retry}>
          Try again now
        </button>
      )}
    </div>
  );
}
