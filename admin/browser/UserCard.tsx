import type { ComponentChildren } from 'preact';
import { useMemo, useState } from 'preact/hooks';
import { ChangeList, FieldChanges } from './ChangeList.tsx';
import { askUser, read, type TaggedUser, toFailure, type User, type UserChange } from './connection.ts';
import { Drawer } from './Drawer.tsx';
import { differing, EMPTY, enteredIn, type Fields, fieldsOf, rebased } from './edit.ts';
import { Button } from './parts.tsx';
import { may } from './session.ts';
import { addressWith, closeCard } from './state.ts';
import { NotSaved } from './Trouble.tsx';
import { timeOf } from './time.ts';
import { UserForm } from './UserForm.tsx';
import { useReading } from './useReading.tsx';
import { useSaving } from './useSaving.tsx';
import { create, remove, restore, save, told } from './write.ts';

/** The changes of a user, the newest first, and who made them. */
function History({ id }: { id: string }) {
  const { value: changes, trouble } = useReading(id, (signal) => read<UserChange[]>(`/${id}/changes`, {}, signal));
  return (
    <section aria-label="History">
      <h3>History</h3>
      {trouble}
      {changes?.length === 0 && <p>Nothing is kept.</p>}
      {changes && <ChangeList changes={changes} isWhole />}
    </section>
  );
}

/** A user and, if somebody else has changed it while it was edited, how it was before, and what was entered. */
type EditedUser = TaggedUser & { before?: User; mine?: Fields };

interface Props {
  /** Undefined: a new one. */
  tagged?: EditedUser;
  /** As of which moment. Empty: now. */
  at?: string;
  set?(tagged: EditedUser): void;
}

/** `crypto.randomUUID` is missing where the page comes over http. */
const randomKey = (): string => crypto.getRandomValues(new Uint32Array(4)).join('-');

interface PastProps {
  at: string;
  restore?: (() => void) | undefined;
}

const AsItWas = ({ at, restore: onRestore }: PastProps) => (
  <section class="card hstack p-4">
    As it was on {timeOf(at)}
    <a href={addressWith({ at: '' })}>As it is now</a>
    {onRestore && <Button text="Restore this" class="outline small" onClick={onRestore} />}
  </section>
);

const Overtaken = ({ before, after, children }: { before: User; after: User; children: ComponentChildren }) => (
  <section class="card p-4" role="alert">
    <b>Somebody else has changed this user meanwhile</b>
    <FieldChanges before={before} after={after} />
    {children}
  </section>
);

interface ButtonsProps {
  isChanged: boolean;
  isSaving: boolean;
  /** Absent for a new user. */
  onDelete?: (() => void) | undefined;
}

const Buttons = ({ isChanged, isSaving, onDelete }: ButtonsProps) => (
  <>
    <button type="submit" disabled={!isChanged} aria-disabled={isSaving}>
      {onDelete ? 'Save' : 'Create'}
    </button>
    {onDelete && <Button text="Delete" class="outline end" data-variant="danger" onClick={onDelete} />}
  </>
);

/** A user to look at, to create, to edit and to delete, or who was there at a moment, to restore. */
export function UserEditor({ tagged, at = '', set }: Props) {
  const { attempt, isSaving, failure } = useSaving();
  const base = tagged ? fieldsOf(tagged.user) : EMPTY;
  const start = tagged?.mine ?? base;
  const [mine, setMine] = useState(start);
  // The same key for the same content: a second click, or one after a lost answer, creates nobody else.
  const key = useMemo(randomKey, [JSON.stringify([...mine])]);
  const mayWrite = may('users:write');
  const mayEdit = mayWrite && at === '';
  const isChanged = differing(base, mine).length > 0;

  /** If somebody else was faster, their values are shown, and what was entered here stays. Answers false then. */
  async function resolve(error: unknown): Promise<boolean> {
    if (toFailure(error).status !== 412 || !tagged || !mayEdit) throw error;
    const now = await askUser('GET', `/${tagged.user.id}`);
    const theirs = fieldsOf(now.user);
    const entered = rebased(base, mine, theirs);
    // If nothing differs, it was saved before, and only the answer was lost.
    const isSaved = isChanged && differing(entered, theirs).length === 0;
    if (isSaved) told('was saved', tagged, now);
    else set?.({ ...now, before: tagged.user, mine: entered });
    return isSaved;
  }
  const write = (send: () => Promise<void>) => attempt(() => send().catch(resolve), closeCard);
  const send = () => isChanged && write(() => (tagged ? save(tagged, mine) : create(mine, key)));

  return (
    <Drawer title={tagged?.user.name ?? 'New user'} isDirty={isChanged} {...(!tagged && { first: 'form input' })}>
      {tagged && (
        <p class="text-light">
          ID {tagged.user.id}, created <time dateTime={tagged.user.createdAt}>{timeOf(tagged.user.createdAt)}</time>
        </p>
      )}
      {tagged && at !== '' && (
        <AsItWas at={at} restore={mayWrite ? () => write(() => restore(tagged.user)) : undefined} />
      )}
      {tagged?.before && (
        <Overtaken before={tagged.before} after={tagged.user}>
          {isChanged && 'What you have entered is below. Saving keeps it.'}
        </Overtaken>
      )}
      <NotSaved failure={failure} />
      <UserForm
        start={start}
        errors={failure?.members ?? {}}
        isReadOnly={!mayEdit || isSaving}
        onEdit={(form) => setMine(enteredIn(form, start))}
        onSubmit={send}
      >
        {mayEdit && (
          <Buttons isChanged={isChanged} isSaving={isSaving} onDelete={tagged && (() => write(() => remove(tagged)))} />
        )}
      </UserForm>
      {tagged && may('users:audit') && <History id={String(tagged.user.id)} />}
    </Drawer>
  );
}

/** The card of a user. A deleted user can come back as long as the history has them. @param at as of which moment; empty: now */
export function UserCard({ id, at }: { id: string; at: string }) {
  const { value, failure, set, trouble } = useReading<EditedUser>(`${id} ${at}`, (signal) =>
    askUser('GET', `/${id}`, { query: { at }, signal }),
  );
  const isAbsent = failure?.status === 404;
  if (value && !isAbsent) return <UserEditor key={value.etag} tagged={value} at={at} set={set} />;
  return (
    <Drawer title={`User ${id}`}>
      {trouble}
      {isAbsent && may('users:audit') && <History id={id} />}
    </Drawer>
  );
}
