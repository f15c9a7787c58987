import type { ComponentChildren } from 'preact';
import { useEffect, useId, useMemo, useRef, useState } from 'preact/hooks';
import { FieldChanges, useEdit, useNames } from '../changes/ChangeList.tsx';
import {
  askUser,
  isOffline,
  type RequestFailure,
  randomKey,
  read,
  type TaggedUser,
  toFailure,
  type User,
  type UserChange,
} from '../data/connection.ts';
import {
  differing,
  EMPTY,
  type Fields,
  fieldsOf,
  inOrder,
  isMomentText,
  rebased,
  textOf,
  type Value,
} from '../data/edit.ts';
import { asStored, dirOf, labelOf, valueText } from '../data/filters.ts';
import { addressWith, closeCard, go, isDirty, readAnew, shared, view } from '../data/state.ts';
import { undoMany } from '../data/task.ts';
import { awayOf, counted, numberOf, timeOf } from '../data/time.ts';
import { bringBack, create, keptUntil, remove, restore, save, told } from '../data/write.ts';
import { Panel } from '../parts/Panel.tsx';
import { Button, Copy, Popover, Status, When } from '../parts/parts.tsx';
import { NotSaved } from '../parts/Trouble.tsx';
import { Loading, useReading } from '../parts/useReading.tsx';
import { useSaving } from '../parts/useSaving.tsx';
import { useKey } from '../parts/useWindow.ts';
import { may } from '../session/session.ts';
import { type Draft, useDraft } from './draft.ts';
import { History } from './History.tsx';
import { listedUser, placeOf, showNeighbour } from './neighbours.ts';
import { DeleteLine } from './RowActions.tsx';
import { UserForm } from './UserForm.tsx';

/** A user as of a moment, or now. If somebody else has changed it while it was edited: how it was before, and what was entered. */
type EditedUser = TaggedUser & { at?: string; before?: User; mine?: Fields };

const TABS = ['Details', 'History'] as const;

const WAYS = [
  ['up', 'Previous user', -1],
  ['down', 'Next user', 1],
] as const;

/** The props that all cards have. */
interface Common {
  id: string;
  tab: (typeof TABS)[number];
  show(tab: (typeof TABS)[number]): void;
  /** Undefined: they are not read, or must not be. */
  changes: readonly UserChange[] | undefined;
}

interface CardProps extends Common {
  user: Pick<User, 'name' | 'status' | 'email'>;
  onDelete?: (() => void) | undefined;
  footer?: ComponentChildren;
  isDirty?: boolean;
  isBusy?: boolean;
  isGone?: boolean;
  /** The part above the details and the history. */
  notes: ComponentChildren;
  /** The details. */
  children?: ComponentChildren;
}

/** Where the user stands in the list, the way to the next one, and the deletion. */
function Above({ id, isGone, onDelete }: CardProps) {
  const at = placeOf(id);
  useKey('j ArrowDown', () => showNeighbour(1));
  useKey('k ArrowUp', () => showNeighbour(-1));
  return (
    <div class="above hstack gap-1">
      <small>{at ? `${numberOf(at.place)} of ${numberOf(at.total)}` : isGone && 'No longer in the list'}</small>
      {at &&
        WAYS.map(([sign, name, by]) => (
          <Button
            key={sign}
            sign={sign}
            class="ghost"
            name={name}
            disabled={at.place + by < 1 || at.place + by > at.total}
            onClick={() => showNeighbour(by)}
          />
        ))}
      {onDelete && (
        <Popover sign="more" class="ghost end" name="More">
          {(close) => <DeleteLine close={close} onDelete={onDelete} />}
        </Popover>
      )}
    </div>
  );
}

/** The e-mail and the id below the name, and the choice between the form and what happened. */
const Below = ({ id, tab, show, changes, user: { email } }: CardProps) => (
  <>
    <p class="hstack gap-1 ids">
      {email !== undefined && (
        <>
          <a href={`mailto:${email}`} class="unstyled" dir="ltr">
            {email}
          </a>{' '}
          ·{' '}
        </>
      )}
      {id}
      <Copy what={`ID ${id}`} text={id} name="Copy ID" />
    </p>
    {changes && (
      <div role="tablist" class="tabs">
        {TABS.map((each) => (
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

/** A user of whatever state: who it is, and either the details or what happened. */
function Card(props: CardProps) {
  const { id, tab, changes, user, footer, isDirty = false, isBusy = false, notes, children } = props;
  const isHistory = tab === 'History' && changes !== undefined;
  return (
    <Panel
      title={asStored(user.name)}
      user={id}
      isDirty={isDirty}
      isBusy={isBusy}
      above={<Above {...props} />}
      beside={user.status !== undefined && <Status text={user.status} />}
      below={<Below {...props} />}
      footer={!isHistory && footer}
    >
      {notes}
      {isHistory && <History changes={changes} />}
      <div hidden={isHistory}>{children}</div>
    </Panel>
  );
}

/** The author of a change, if that is known. */
function useAuthor(change: UserChange | undefined): string | undefined {
  const nameOf = useNames(change ? [change] : []);
  return change && nameOf(change);
}

/** Every change has another moment, which nobody has entered. */
const withoutMoment = ({ updatedAt: _, ...user }: User): Omit<User, 'updatedAt'> => user;

/** How many fields are wrong or changed, or how old the user is. */
function Said({ draft: { faulty, tries, changed }, user }: { draft: Draft; user: User | undefined }) {
  if (tries > 0 && faulty > 0)
    return <small class="end fault">{faulty === 1 ? '1 field needs a look' : `${faulty} fields need a look`}</small>;
  if (!user) return null;
  return (
    <small class="end">
      {changed.length > 0 ? `${counted(changed.length, 'field')} changed` : `Created ${timeOf(user.createdAt)}`}
    </small>
  );
}

/** No errors of members. */
const NONE = {};

interface EditingProps {
  /** Undefined: a new one. */
  tagged?: EditedUser;
  isReadOnly?: boolean;
  set?: (tagged: EditedUser) => void;
  readAnew?: () => void;
}

/** The form of a user, and what is done with its entries. */
function useEditing({ tagged, isReadOnly = false, set, readAnew }: EditingProps) {
  // An answer may come when the card of somebody else is on its way in this place.
  const isHere = () => view.user === String(tagged?.user.id ?? 'new') && view.at === (tagged?.at ?? '');
  const { attempt, isSaving, failure } = useSaving(tagged?.user.name, isHere);
  const form = useId();
  const base = tagged ? fieldsOf(tagged.user) : EMPTY;
  const draft = useDraft(String(tagged?.user.id ?? 'new'), tagged?.mine ?? base, base);
  const mine = draft.values;
  // The same key for the same content: a second click, or one after a lost answer, creates nobody else.
  const key = useMemo(randomKey, [JSON.stringify([...mine])]);
  const isChanged = draft.changed.length > 0;
  /** A creation may have been carried out without an answer. With other fields it would create a second user. */
  const isHeld = !tagged && failure?.isUnknown === true;

  /**
   * If somebody else was faster, their values are shown, and what was entered here stays. If the user was deleted meanwhile, also by a deletion
   * whose answer was lost, the card becomes that of a deleted user. Answers false then.
   */
  async function resolve(error: unknown): Promise<TaggedUser | false> {
    const { status } = toFailure(error);
    if (![404, 412].includes(status) || !tagged || isReadOnly) throw error;
    if (status === 404) {
      readAnew?.();
      return false;
    }
    const now = await askUser('GET', `/${tagged.user.id}`);
    const theirs = fieldsOf(now.user);
    const entered = rebased(base, mine, theirs);
    // If nothing differs, it was saved before, and only the answer was lost.
    const isSaved = isChanged && differing(entered, theirs).length === 0;
    if (isSaved) told('was saved', tagged, now);
    else set?.({ ...now, before: tagged.user, mine: entered });
    return isSaved && now;
  }

  const leave = () => isHere() && closeCard();
  // The second time for a user who is deleted between the refusal and the reading after it.
  const write = (send: () => Promise<TaggedUser | undefined>, onDone: (now?: TaggedUser) => void = leave) =>
    attempt(() => send().catch(resolve).catch(resolve), onDone);
  function onSubmit(): void {
    if (!isChanged || !isHere()) return;
    if (tagged)
      write(
        () => save(tagged, mine),
        (now) => now && set?.(now),
      );
    else write(() => create(mine, key));
  }
  return {
    isChanged,
    write,
    notes: (
      <>
        <NotSaved failure={failure} />
        {isHeld && <p class="note warning">Create them again before you change them.</p>}
      </>
    ),
    details: (
      <UserForm
        id={form}
        draft={draft}
        base={base}
        errors={failure?.members ?? NONE}
        isReadOnly={isReadOnly || isSaving || isHeld}
        onSubmit={onSubmit}
      />
    ),
    footer: (
      <>
        {!isReadOnly && (
          <button type="submit" form={form} disabled={!isChanged || isOffline()} aria-disabled={isSaving}>
            {tagged ? 'Save' : 'Create'}
          </button>
        )}
        {tagged?.before && isChanged && (
          <Button text="Drop mine" onClick={() => set?.({ user: tagged.user, etag: tagged.etag })} />
        )}
        {!tagged && <Button text="Cancel" onClick={closeCard} />}
        <Said draft={draft} user={tagged?.user} />
      </>
    ),
  };
}

/** A user to be created. */
export function NewUser() {
  const { isChanged, notes, details, footer } = useEditing({});
  return (
    <Panel title="New user" isDirty={isChanged} first="form input" footer={footer}>
      {notes}
      {details}
    </Panel>
  );
}

interface EditorProps extends Common {
  tagged: EditedUser;
  isBusy: boolean;
  set(tagged: EditedUser): void;
  readAnew(): void;
  /** Why nothing newer is shown. */
  trouble: ComponentChildren;
}

/** A user to look at, to edit and to delete, or who was there at a moment, to restore. */
function UserEditor({ tagged, isBusy, set, readAnew, trouble, ...common }: EditorProps) {
  const { user, before, at } = tagged;
  const mayWrite = may('users:write');
  const { isChanged, write, notes, details, footer } = useEditing({
    tagged,
    isReadOnly: !mayWrite || !!at,
    set,
    readAnew,
  });
  const who = useAuthor(before && common.changes?.find((change) => change.at === user.updatedAt));
  const onRestore = () =>
    write(
      () => restore(user),
      () => go({ at: '' }),
    );
  const all = (
    <>
      {at && (
        <section class="note hstack">
          As it was on {timeOf(at)}
          <a href={addressWith({ at: '' })}>As it is now</a>
          {mayWrite && <Button text="Restore this" class="outline small" onClick={onRestore} />}
        </section>
      )}
      {before && (
        <section class="note warning" role="alert">
          <b>
            <bdi>{who ?? 'Somebody else'}</bdi> has saved meanwhile
          </b>
          <FieldChanges before={withoutMoment(before)} after={withoutMoment(user)} />
          Their values are below. {isChanged && 'Yours are marked, and stay.'}
        </section>
      )}
      {trouble}
      {notes}
    </>
  );
  return (
    <Card
      {...common}
      user={user}
      isDirty={isChanged}
      isBusy={isBusy}
      onDelete={mayWrite && !at ? () => write(() => remove(tagged)) : undefined}
      footer={footer}
      notes={all}
    >
      {details}
    </Card>
  );
}

/** A value to read. */
function Shown({ property, value }: { property: string; value: Value | undefined }) {
  const text = textOf(value);
  if (property === 'status') return <Status text={text} />;
  if (isMomentText(text)) return <When at={text} words={awayOf(text)} />;
  if (!Array.isArray(value)) return <bdi dir={dirOf(text)}>{valueText(property, text)}</bdi>;
  return value.map((item) => (
    <bdi key={item} class="item">
      {item}
    </bdi>
  ));
}

interface DeletedProps extends Common {
  last: UserChange;
  user: User;
}

/** A user who is gone: as they were last, and the way back, as long as the history has them. */
function DeletedCard({ last, user, ...common }: DeletedProps) {
  const { attempt, isSaving, progress } = useSaving(user.name);
  const { edit, at } = last;
  const who = useAuthor(last);
  const others = (useEdit(edit)?.changed ?? 1) - 1;
  const fields = fieldsOf(user);
  const isOff = isSaving || isOffline();
  const footer = may('users:write') && (
    <>
      <Button text="Bring back" class="" disabled={isOff} onClick={() => attempt(() => bringBack(user))} />
      {edit !== undefined && others > 0 && (
        <Button
          text={`All ${numberOf(others + 1)} of this deletion`}
          class="link end"
          disabled={isOff}
          onClick={() => attempt((onShare) => undoMany(edit, onShare))}
        />
      )}
    </>
  );
  return (
    <Card {...common} user={{ name: user.name, status: 'deleted' }} isGone footer={footer} notes={progress}>
      <section class="note danger">
        <b>
          Deleted <When at={at} />
          {who !== undefined && ' by '}
          <bdi>{who}</bdi>
          {others > 0 && `, with ${counted(others, 'other')}`}.
        </b>
        <br />
        Can come back, with the same ID, until {keptUntil(Date.parse(at))}.
      </section>
      <p>As it was last:</p>
      <dl class="values">
        {inOrder(fields)
          .filter((property) => property !== 'name' && fields.has(property))
          .map((property) => (
            <div key={property}>
              <dt dir="auto">{labelOf(property)}</dt>
              <dd>
                <Shown property={property} value={fields.get(property)} />
              </dd>
            </div>
          ))}
      </dl>
    </Card>
  );
}

/** The failure of a card. As long as nothing is known of it, a failure is that of the card before. */
function useOwnFailure(id: string, failure: RequestFailure | undefined, isLoading: boolean) {
  const answered = useRef(id);
  if (!isLoading) answered.current = id;
  return answered.current === id ? failure : undefined;
}

/** The card of a user. A deleted user can come back as long as the history has them. @param at as of which moment; empty: now */
export function UserCard({ id, at }: { id: string; at: string }) {
  const [tab, show] = useState<Common['tab']>('Details');
  // The line of the history that has led to them says nothing of them.
  useEffect(() => show('Details'), [at]);
  // An entry stays, whatever is changed elsewhere.
  const edits = useRef(shared.edits);
  if (!isDirty()) edits.current = shared.edits;
  /** Reads the user anew, also while something is entered. */
  const readBelow = () => {
    edits.current = shared.edits + 1;
    readAnew();
  };
  // An address may have `counts` for an id, which is the path of something else. With `-` at its end the service refuses it as an id.
  const path = `/${id.replace(/\D.*/, '-')}`;
  const isThis = (tagged?: EditedUser): boolean => String(tagged?.user.id) === id && (tagged?.at ?? '') === at;
  const reading = useReading<EditedUser>(`${id} ${at} ${edits.current}`, async (signal, before) => {
    const now = { ...(await askUser('GET', path, { query: { at }, signal })), at };
    // An entry that was begun while this was on its way stays, too: the service refuses to save it over something newer.
    return before && isThis(before) && isDirty() ? before : now;
  });
  const { value, failure, set, trouble, isLoading } = reading;
  // The changes name the other person who has saved.
  const readHistory = async (signal: AbortSignal) => ({
    id,
    changes: await read<UserChange[]>(`${path}/changes`, {}, signal),
  });
  const key = `${id} ${edits.current} ${value?.before && value.etag}`;
  const { value: history } = useReading(key, may('users:audit') ? readHistory : undefined);
  const changes = history?.id === id ? history.changes : undefined;
  const common = { id, tab, show, changes };
  const own = useOwnFailure(id, failure, isLoading);
  const isAbsent = own?.status === 404;
  const said = own === failure ? trouble : <Loading />;
  const isShown = isThis(value);
  if (value && failure?.status !== 404 && (isShown || isLoading)) {
    const shown = { id: String(value.user.id), at: value.at ?? '' };
    return (
      <UserEditor
        // Users have the same tags as others: it is a tag of their versions.
        key={`${shown.id} ${value.etag} ${shown.at} ${value.mine !== undefined}`}
        {...common}
        id={shown.id}
        tagged={value}
        isBusy={!isShown}
        set={set}
        readAnew={readBelow}
        trouble={said}
      />
    );
  }
  const last = changes?.[0];
  if (isAbsent && last?.type === 'deleted' && last.user)
    return <DeletedCard key={id} {...common} last={last} user={last.user} />;
  return <Card {...common} user={listedUser(id) ?? { name: `User ${id}` }} notes={said} />;
}
