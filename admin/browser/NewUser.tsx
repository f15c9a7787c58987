import { useRef, useState } from 'preact/hooks';
import { Dialog } from './Dialog.tsx';
import { differing, type Entered, enteredOf, fieldsOf } from './edit.ts';
import type { CardProps } from './PresentUser.tsx';
import { FailureLine } from './Trouble.tsx';
import { UserForm } from './UserForm.tsx';
import { useSaving } from './useSaving.ts';

const EMPTY = enteredOf({});

/** `crypto.randomUUID` is missing where the page comes over http. */
export const randomKey = (): string => crypto.getRandomValues(new Uint32Array(4)).join('-');

type Props = Pick<CardProps, 'connection' | 'session' | 'onClose' | 'onDone'>;

export function NewUser({ connection, session, onDone, onClose }: Props) {
  const [isDirty, setDirty] = useState(false);
  const { attempt, isSaving, failure } = useSaving(onClose);
  // The same key for the same content: a second click, or one after a lost answer, creates nobody else.
  const sent = useRef<{ content: string; key: string } | undefined>(undefined);

  const create = (entered: Entered) =>
    attempt(async () => {
      const fields = fieldsOf(entered);
      const content = JSON.stringify(fields);
      if (sent.current?.content !== content) sent.current = { content, key: randomKey() };
      const { user } = await connection.create(fields, sent.current.key);
      onDone(user, 'created');
      return true;
    });

  return (
    <Dialog label="New user" isDirty={isDirty} onClose={onClose}>
      <h2>New user</h2>
      <FailureLine failure={failure} session={session} />
      <UserForm
        start={EMPTY}
        errors={failure?.members}
        isSaving={isSaving}
        onSubmit={create}
        onEdit={(entered) => setDirty(differing(EMPTY, entered).length > 0)}
      >
        <button type="submit" aria-disabled={isSaving}>
          Create
        </button>
      </UserForm>
    </Dialog>
  );
}
