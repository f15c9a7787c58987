import type { ComponentChildren } from 'preact';
import { useId, useMemo, useRef, useState } from 'preact/hooks';
import { FieldChanges, useEdit, useNames } from './ChangeList.tsx';
import {
  askUser,
  isOffline,
  randomKey,
  read,
  type TaggedUser,
  toFailure,
  type User,
  type UserChange,
} from './connection.ts';
import { useDraft } from './draft.ts';
import { differing, EMPTY, type Fields, fieldsOf, rebased, textOf } from './edit.ts';
import { labelOf, valueText } from './filters.ts';
import { History } from './History.tsx';
import { Icon } from './icons.tsx';
import { keptUntil } from './kept.ts';
import { placeOf, showNeighbour } from './neighbours.ts';
import { Panel } from './Panel.tsx';
import { Button, Popover, Status, When } from './parts.tsx';
import { copyId } from './RowActions.tsx';
import { may } from './session.ts';
import { addressWith, closeCard, go, isDirty, shared } from './state.ts';
import { NotSaved } from './Trouble.tsx';
import { undoMany } from './task.ts';
import { counted, numberOf, timeOf } from './time.ts';
import { UserForm } from './UserForm.tsx';
import { useReading } from './useReading.tsx';
import { useSaving } from './useSaving.tsx';
import { useKey } from './useWindow.ts';
import { bringBack, create, remove, restore, save, told } from './write.ts';

/** A user and, if somebody else has changed it while it was edited, how it was before, and what was entered. */
type EditedUser = TaggedUser & { before?: User; mine?: Fields };

type Tab = 'Details' | 'History';

interface FrameProps {
  id: string;
  tab: Tab;
  show(tab: Tab): void;
  /** Undefined: they are not read, or must not be. */
  changes: readonly UserChange[] | undefined;
  onDelete?: (() => void) | undefined;
}

/** Where the user stands in the list, the way to the next one, and what else can be done. */
function Above({ id, onDelete }: FrameProps) {
  const at = placeOf(id);
  const { place = 0, total = 0 } = at ?? {};
  useKey('j ArrowDown', () => showNeighbour(1));
  useKey('k ArrowUp', () => showNeighbour(-1));
  return (
    <div class="above hstack gap-1">
      <small>{at ? `${numberOf(place)} of ${numberOf(total)}` : 'No longer in the list'}</small>
      {at && (
        <>
          <Button
            text={<Icon of="up" />}
            class="ghost"
            name="Previous user"
            disabled={place === 1}
            onClick={() => showNeighbour(-1)}
          />
          <Button
            text={<Icon of="down" />}
            class="ghost"
            name="Next user"
            disabled={place === total}
            onClick={() => showNeighbour(1)}
          />
        </>
      )}
      <Popover text={<Icon of="more" />} class="ghost end" name="More">
        {(close) => (
          <div class="vstack">
            <Button
              text="Copy ID"
              class="ghost"
              onClick={() => {
                close();
                copyId(id);
              }}
            />
            {onDelete && (
              <Button
                text="Delete"
                class="ghost"
                data-variant="danger"
                onClick={() => {
                  close();
                  onDelete();
                }}
              />
            )}
          </div>
        )}
      </Popover>
    </div>
  );
}

/** The e-mail and the id below the name, and the choice between the form and what happened. */
function Below({ id, tab, show, changes, email }: FrameProps & { email?: string | undefined }) {
  return (
    <>
      <p class="hstack gap-1 ids">
        {email !== undefined && <a href={`mailto:${email}`}>{email}</a>}
        {email !== undefined && ' · '}
        {id}
        <Button text={<Icon of="copy" />} class="ghost" name="Copy ID" onClick={() => copyId(id)} />
      </p>
      {changes && (
        <div role="tablist" class="tabs">
          {(['Details', 'History'] as const).map((each) => (
            <button
              key={each}
              type="button"
              role="tab"
              class="ghost"
              aria-selected={tab === each}
              tabIndex={tab === each ? 0 : -1}
              onClick={() => show(each)}
              onKeyDown={({ key, currentTarget }) => {
                if (key !== 'ArrowLeft' && key !== 'ArrowRight') return;
                const other = currentTarget.nextElementSibling ?? currentTarget.previousElementSibling;
                if (!(other instanceof HTMLElement)) return;
                other.focus();
                other.click();
              }}
            >
              {each} {each === 'History' && <small>{numberOf(changes.length)}</small>}
            </button>
          ))}
        </div>
      )}
    </>
  );
}

interface Overtaking {
  before: User;
  after: User;
  changes: readonly UserChange[] | undefined;
  children: ComponentChildren;
}

/** Every change has another moment, which nobody has entered. */
const withoutMoment = ({ updatedAt: _, ...user }: User): Omit<User, 'updatedAt'> => user;

function Overtaken({ before, after, changes = [], children }: Overtaking) {
  const nameOf = useNames(changes.slice(0, 1));
  return (
    <section class="note warning" role="alert">
      <b>
        <bdi>{nameOf(changes[0] ?? {}) ?? 'Somebody else'}</bdi> has saved meanwhile
      </b>
      <FieldChanges before={withoutMoment(before)} after={withoutMoment(after)} />
      {children}
    </section>
  );
}

interface EditorProps extends Partial<FrameProps> {
  /** Undefined: a new one. */
  tagged?: EditedUser | undefined;
  /** As of which moment. Empty: now. */
  at?: string;
  isBusy?: boolean;
  set?: ((tagged: EditedUser) => void) | undefined;
}

/** The fields to be saved, or those of a former moment. */
const said = (draft: ReturnType<typeof useDraft>, tagged: EditedUser | undefined) => {
  const { faulty, tries, changed } = draft;
  if (tries > 0 && faulty > 0) {
    return <small class="fault">{faulty === 1 ? '1 field needs a look' : `${faulty} fields need a look`}</small>;
  }
  if (!tagged) return null;
  if (changed.length > 0) return <small>{counted(changed.length, 'field')} changed</small>;
  return (
    <small>
      {tagged.user.updatedAt !== undefined && tagged.user.updatedAt !== tagged.user.createdAt && (
        <>
          Changed <When at={tagged.user.updatedAt} />
          {' · '}
        </>
      )}
      Created <time dateTime={tagged.user.createdAt}>{timeOf(tagged.user.createdAt)}</time>
    </small>
  );
};

/** The entries of a user's form, and their results. */
function useEditing({ tagged, at = '', set }: EditorProps) {
  const { attempt, isSaving, failure } = useSaving();
  const base = tagged ? fieldsOf(tagged.user) : EMPTY;
  const draft = useDraft(String(tagged?.user.id ?? 'new'), tagged?.mine ?? base, base);
  const mine = draft.values;
  // The same key for the same content: a second click, or one after a lost answer, creates nobody else.
  const key = useMemo(randomKey, [JSON.stringify([...mine])]);
  const mayEdit = may('users:write') && at === '';
  const isChanged = draft.changed.length > 0;

  /** If somebody else was faster, their values are shown, and what was entered here stays. Answers false then. */
  async function resolve(error: unknown): Promise<TaggedUser | false> {
    if (toFailure(error).status !== 412 || !tagged || !mayEdit) throw error;
    const now = await askUser('GET', `/${tagged.user.id}`);
    const theirs = fieldsOf(now.user);
    const entered = rebased(base, mine, theirs);
    // If nothing differs, it was saved before, and only the answer was lost.
    const isSaved = isChanged && differing(entered, theirs).length === 0;
    if (isSaved) told('was saved', tagged, now);
    else set?.({ ...now, before: tagged.user, mine: entered });
    return isSaved && now;
  }

  function write(send: () => Promise<TaggedUser | undefined>, onDone: (now?: TaggedUser) => void = closeCard): void {
    let now: TaggedUser | undefined | false;
    attempt(
      async () => {
        now = await send().catch(resolve);
        return now !== false;
      },
      () => onDone(now || undefined),
    );
  }
  const send = () => {
    if (isChanged && tagged)
      write(
        () => save(tagged, mine),
        (now) => now && set?.(now),
      );
    else if (isChanged) write(() => create(mine, key));
  };
  return { attempt, isSaving, failure, base, draft, mayEdit, isChanged, write, send };
}

type Editing = ReturnType<typeof useEditing>;

interface FootProps extends Pick<EditorProps, 'tagged' | 'set'> {
  editing: Editing;
  form: string;
}

const Foot = ({ tagged, set, editing, form }: FootProps) => (
  <>
    {editing.mayEdit && (
      <button type="submit" form={form} disabled={!editing.isChanged || isOffline()} aria-disabled={editing.isSaving}>
        {tagged ? 'Save' : 'Create'}
      </button>
    )}
    {tagged?.before && editing.isChanged && (
      <Button text="Drop mine" onClick={() => set?.({ user: tagged.user, etag: tagged.etag })} />
    )}
    {!tagged && <Button text="Cancel" onClick={closeCard} />}
    <span class="end">{said(editing.draft, tagged)}</span>
  </>
);

interface PastProps {
  at: string;
  restore?: (() => void) | undefined;
}

const AsItWas = ({ at, restore: onRestore }: PastProps) => (
  <section class="note hstack">
    As it was on {timeOf(at)}
    <a href={addressWith({ at: '' })}>As it is now</a>
    {onRestore && <Button text="Restore this" class="outline small" onClick={onRestore} />}
  </section>
);

/** A user to look at, to create, to edit and to delete, or who was there at a moment, to restore. */
export function UserEditor(props: EditorProps) {
  const { tagged, at = '', isBusy = false, set, id = '', tab = 'Details', show = () => undefined, changes } = props;
  const editing = useEditing(props);
  const { attempt, isSaving, failure, base, draft, mayEdit, isChanged, write, send } = editing;
  const form = useId();
  const user = tagged?.user;
  const onDelete = mayEdit && tagged ? () => write(() => remove(tagged)) : undefined;
  const around = { id, tab, show, changes, onDelete };
  const isHistory = user !== undefined && tab === 'History' && changes !== undefined;
  const onRestore = () =>
    user &&
    write(
      () => restore(user),
      () => go({ at: '' }),
    );
  return (
    <Panel
      title={user?.name ?? 'New user'}
      isDirty={isChanged}
      isBusy={isBusy}
      user={user?.id}
      {...(user === undefined
        ? { first: 'form input' }
        : {
            above: <Above {...around} />,
            beside: user.status !== undefined && <Status text={user.status} />,
            below: <Below {...around} email={user.email} />,
          })}
      footer={isHistory ? undefined : <Foot tagged={tagged} set={set} editing={editing} form={form} />}
    >
      {at !== '' && <AsItWas at={at} restore={may('users:write') ? onRestore : undefined} />}
      {tagged?.before && (
        <Overtaken before={tagged.before} after={tagged.user} changes={changes}>
          Their values are below. {isChanged && 'Yours are marked, and stay.'}
        </Overtaken>
      )}
      <NotSaved failure={failure} />
      {isHistory && <History changes={changes} onUndo={(edit) => attempt(() => undoMany(edit))} />}
      <div hidden={isHistory}>
        <UserForm
          id={form}
          draft={draft}
          base={base}
          errors={failure?.members ?? NONE}
          isReadOnly={!mayEdit || isSaving}
          onSubmit={send}
        />
      </div>
    </Panel>
  );
}

/** No errors of members. */
const NONE = {};

interface DeletedProps extends FrameProps {
  changes: readonly UserChange[];
  trouble: ComponentChildren;
}

/** A user who is gone: as they were last, and the way back, as long as the history has them. */
function DeletedCard({ trouble, ...frame }: DeletedProps) {
  const { attempt, isSaving, progress } = useSaving();
  const { id, tab, changes } = frame;
  const last = changes[0];
  const user = last?.type === 'deleted' ? last.user : undefined;
  const nameOf = useNames(changes.slice(0, 1));
  const others = (useEdit(last?.edit)?.changed ?? 1) - 1;
  const edit = last?.edit;
  if (!last || !user) {
    return (
      <Panel title={`User ${id}`} above={<Above {...frame} />}>
        {trouble}
        {changes.length > 0 && <History changes={changes} onUndo={(each) => attempt(() => undoMany(each))} />}
      </Panel>
    );
  }
  const who = nameOf(last);
  const footer = may('users:write') && (
    <>
      <Button text="Bring back" class="" disabled={isSaving} onClick={() => attempt(() => bringBack(user))} />
      {edit !== undefined && others > 0 && (
        <Button
          text={`All ${numberOf(others + 1)} of this deletion`}
          class="link end"
          disabled={isSaving}
          onClick={() => attempt((onShare) => undoMany(edit, onShare))}
        />
      )}
    </>
  );
  return (
    <Panel
      title={user.name}
      above={<Above {...frame} />}
      beside={<Status text="deleted" />}
      below={<Below {...frame} />}
      footer={footer}
    >
      {progress}
      {tab === 'History' ? (
        <History changes={changes} onUndo={(each) => attempt(() => undoMany(each))} />
      ) : (
        <>
          <section class="note danger">
            <b>
              Deleted <When at={last.at} />
              {who !== undefined && ' by '}
              <bdi>{who}</bdi>
              {others > 0 && `, with ${counted(others, 'other')}`}
            </b>
            <br />
            Can come back, with the same ID, until {keptUntil(Date.parse(last.at))}.
          </section>
          <p class="text-light">As it was last:</p>
          <dl class="values">
            {[...fieldsOf(user)].slice(1).map(([property, value]) => (
              <div key={property}>
                <dt dir="auto">{labelOf(property)}</dt>
                <dd dir="auto">
                  {property === 'status' ? <Status text={textOf(value)} /> : valueText(property, textOf(value))}
                </dd>
              </div>
            ))}
          </dl>
        </>
      )}
    </Panel>
  );
}

/** The card of a user. A deleted user can come back as long as the history has them. @param at as of which moment; empty: now */
export function UserCard({ id, at }: { id: string; at: string }) {
  const [tab, show] = useState<Tab>('Details');
  // An entry stays, whatever is changed elsewhere.
  const edits = useRef(shared.edits);
  if (!isDirty()) edits.current = shared.edits;
  const key = `${id} ${at} ${edits.current}`;
  const { value, failure, set, trouble, isLoading } = useReading<EditedUser>(key, (signal) =>
    askUser('GET', `/${id}`, { query: { at }, signal }),
  );
  const { value: history } = useReading(`${id} ${edits.current}`, async (signal) => {
    const changes = may('users:audit') ? await read<UserChange[]>(`/${id}/changes`, {}, signal) : undefined;
    return { id, changes };
  });
  const changes = history?.id === id ? history.changes : undefined;
  const frame = { id, tab, show, changes };
  const isAbsent = failure?.status === 404;
  if (value && !isAbsent) {
    const isBusy = isLoading && String(value.user.id) !== id;
    const own = isBusy ? String(value.user.id) : id;
    return (
      <UserEditor
        // Users have the same tags as others: it is a tag of their versions.
        key={`${value.user.id} ${value.etag} ${at} ${value.mine !== undefined}`}
        tagged={value}
        at={at}
        isBusy={isBusy}
        set={set}
        {...frame}
        id={own}
      />
    );
  }
  if (isAbsent && changes) return <DeletedCard key={id} {...frame} changes={changes} trouble={trouble} />;
  return (
    <Panel title={`User ${id}`} above={<Above {...frame} />}>
      {trouble}
    </Panel>
  );
}
