import { useRef, useState } from 'preact/hooks';
import { Drawer } from './Drawer.tsx';
import { differing, type Entered, enteredOf, fieldsOf } from './edit.ts';
import { useShared } from './shared.ts';
import { FailureLine } from './Trouble.tsx';
import { UserForm } from './UserForm.tsx';
import { useSaving } from './useSaving.ts';
import { useUndo } from './useUndo.ts';

const EMPTY = enteredOf({});

/** `crypto.randomUUID` is missing where the page comes over http. */
const randomKey = (): string => crypto.getRandomValues(new Uint32Array(4)).join('-');

export function NewUser() {
  const { connection, go } = useShared();
  const { onCreated } = useUndo();
  const [isDirty, setDirty] = useState(false);
  const onClose = () => go({ user: undefined });
  const { attempt, isSaving, failure } = useSaving(onClose);
  // The same key for the same content: a second click, or one after a lost answer, creates nobody else.
  const sent = useRef({ content: '', key: '' });

  const create = (entered: Entered) =>
    attempt(async () => {
      const fields = fieldsOf(entered);
      const content = JSON.stringify(fields);
      if (sent.current.content !== content) sent.current = { content, key: randomKey() };
      onCreated(await connection.create(fields, sent.current.key));
      return true;
    });

  return (
    <Drawer title="New user" isDirty={isDirty} onClose={onClose}>
      <FailureLine failure={failure} />
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
    </Drawer>
  );
}
