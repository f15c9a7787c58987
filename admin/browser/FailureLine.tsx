import type { RequestFailure } from './failure.ts';
import type { Session } from './session.ts';

interface Props {
  failure: RequestFailure | undefined;
  session: Session;
  /** Whether there is a form that says what is wrong with which field. */
  hasForm?: boolean;
}

/** Why something was not saved, unless its fields say so themselves. What was entered stays. */
export function FailureLine({ failure, session, hasForm = true }: Props) {
  if (!failure || (hasForm && Object.keys(failure.members).length > 0)) return null;
  return (
    <p role="alert">
      {failure.status === 401 ? 'Your sign-in has ended.' : failure.message}{' '}
      {failure.status === 401 && session.signIn && (
        <button type="button" class="outline" onClick={() => session.signIn?.()}>
          Sign in
        </button>
      )}
    </p>
  );
}
