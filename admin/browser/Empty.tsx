import { useState } from 'preact/hooks';
import type { PageSettings } from '../settings.ts';
import type { Connection, UserFields } from './connection.ts';
import { randomKey } from './NewUser.tsx';
import type { Session } from './session.ts';
import { FailureLine } from './Trouble.tsx';
import { useSaving } from './useSaving.ts';

const NAMES = ['Ada Lovelace', 'Alan Turing', 'Barbara Liskov', 'Edsger Dijkstra', 'Grace Hopper', 'Radia Perlman'];

const EXAMPLES = NAMES.map((name, index): UserFields => {
  const [firstName = '', lastName = ''] = name.split(' ');
  const [status, country] = [index % 4 === 2 ? 'pending' : 'active', index % 3 === 1 ? 'GB' : 'US'];
  const email = `${firstName}.${lastName}@example.org`.toLowerCase();
  return { name, firstName, lastName, email, age: 30 + index, status, country };
});

interface Props {
  connection: Connection;
  session: Session;
  settings: PageSettings;
  onFilled(): void;
}

/** How a stage without users gets some. */
export function Empty({ connection, session, settings: { api, isLocal }, onFilled }: Props) {
  const { attempt, isSaving, failure } = useSaving(onFilled);
  const [key] = useState(randomKey);
  const fill = () =>
    attempt(async () => {
      // The same key at a second attempt creates nobody twice.
      await Promise.all(EXAMPLES.map((each) => connection.create(each, `${key}-${each.email}`)));
      return true;
    });
  return (
    <div class="notice col-6">
      <h2>No users yet</h2>
      <FailureLine failure={failure} session={session} />
      {isLocal && (
        <button type="button" aria-disabled={isSaving} onClick={fill}>
          Create {EXAMPLES.length} examples
        </button>
      )}
      <p>{isLocal ? 'Or thousands, or your own users' : 'Import your users'}, in a folder of this project:</p>
      {isLocal && <pre>npm run seed -- --users 5000</pre>}
      <pre>{`npm run import -- --url ${location.origin}${api.replace(/\/api$/, '')} --file users.csv`}</pre>
    </div>
  );
}
