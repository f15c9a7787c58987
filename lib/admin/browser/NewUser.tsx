import { useRef, useState } from 'preact/hooks';
import { type Connection, type RequestFailure, toFailure, type User } from './connection.ts';
import { Dialog } from './Dialog.tsx';
import { differing, type Entered, enteredOf, fieldsOf } from './edit.ts';
import { UserForm } from './UserForm.tsx';

const EMPTY = enteredOf({});

interface Props {
  connection: Connection;
  onCreated(user: User): void;
  onClose(): void;
}

export function NewUser({ connection, onCreated, onClose }: Props) {
  const [failure, setFailure] = useState<RequestFailure>();
  const [isDirty, setDirty] = useState(false);
  const [isSaving, setSaving] = useState(false);
  // The same key for the same content: a second click, or one after a lost answer, creates nobody else.
  const sent = useRef<{ content: string; key: string } | undefined>(undefined);

  async function create(entered: Entered): Promise<void> {
    const fields = fieldsOf(entered);
    const content = JSON.stringify(fields);
    if (sent.current?.content !== content) sent.current = { content, key: crypto.randomUUID() };
    setSaving(true);
    try {
      const { user } = await connection.create(fields, sent.current.key);
      onCreated(user);
    } catch (error) {
      setFailure(toFailure(error));
      setSaving(false);
    }
  }

  return (
    <Dialog label="New user" isDirty={isDirty} onClose={onClose}>
      <h2>New user</h2>
      {failure && Object.keys(failure.members).length === 0 && <p role="alert">{failure.message}</p>}
      <UserForm
        start={EMPTY}
        errors={failure?.members ?? {}}
        isReadOnly={false}
        onSubmit={create}
        onEdit={(entered) => setDirty(differing(EMPTY, entered).length > 0)}
      >
        <button type="submit" class="primary" disabled={isSaving}>
          Create
        </button>
      </UserForm>
    </Dialog>
  );
}
