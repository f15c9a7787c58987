import { useMemo, useState } from 'preact/hooks';
import { Drawer } from './Drawer.tsx';
import { bodyOf, type Fields } from './edit.ts';
import { useShared } from './shared.ts';
import { FailureLine } from './Trouble.tsx';
import { UserForm } from './UserForm.tsx';
import { useSaving } from './useSaving.ts';
import { useUndo } from './useUndo.ts';

const EMPTY: Fields = new Map();

/** `crypto.randomUUID` is missing where the page comes over http. */
const randomKey = (): string => crypto.getRandomValues(new Uint32Array(4)).join('-');

export function NewUser() {
  const { connection, go } = useShared();
  const { onCreated } = useUndo();
  const [entered, setEntered] = useState(EMPTY);
  const onClose = () => go({ user: '' });
  const { attempt, isSaving, failure } = useSaving(onClose);
  const json = bodyOf(entered);
  // The same key for the same content: a second click, or one after a lost answer, creates nobody else.
  const key = useMemo(randomKey, [JSON.stringify(json)]);
  const create = () =>
    attempt(async () => {
      onCreated(await connection.user('POST', '', { json, headers: { 'idempotency-key': key } }));
      return true;
    });

  return (
    <Drawer title="New user" isDirty={entered.size > 0} onClose={onClose}>
      <FailureLine failure={failure} />
      <UserForm start={EMPTY} errors={failure?.members} isSaving={isSaving} onSubmit={create} onEdit={setEntered}>
        <button type="submit" aria-disabled={isSaving}>
          Create
        </button>
      </UserForm>
    </Drawer>
  );
}
