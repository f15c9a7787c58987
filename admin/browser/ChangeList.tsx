import { useId, useRef, useState } from 'preact/hooks';
import { MAX_FILTER_VALUES } from '../../schemas/limits.ts';
import { type Change, type EditState, isOffline, type Page, read, type UserChange } from './connection.ts';
import { differing, textOf, type Value, valuesOf } from './edit.ts';
import { labelOf } from './filters.ts';
import { type Group, groupsOf, undoneBy, undoOf } from './groups.ts';
import { Icon } from './icons.tsx';
import { Button } from './parts.tsx';
import { may } from './session.ts';
import { addressWith, view } from './state.ts';
import { undoMany } from './task.ts';
import { agoOf, clockOf, counted, dayNames, dayOf, numberOf, timeOf } from './time.ts';
import { useReading } from './useReading.tsx';
import { useSaving } from './useSaving.tsx';
import { bringBack, restoreLine } from './write.ts';

/** The differences that a change has made: the fields that differ, or all of them. */
type Differences = Pick<UserChange, 'before' | 'after'>;

const shown = (value: Value | undefined) => (value === undefined ? <em>none</em> : <bdi>{textOf(value)}</bdi>);

export function FieldChanges({ before, after }: Differences) {
  const [old, now] = [valuesOf(before), valuesOf(after)];
  return (
    <ul class="unstyled">
      {differing(old, now).map((property) => (
        <li key={property}>
          {labelOf(property)}: <del>{shown(old.get(property))}</del> → <ins>{shown(now.get(property))}</ins>
        </li>
      ))}
    </ul>
  );
}

/** The names of those who made some changes, by their subjects: those of the users whose external ids they are. */
export function useNames(changes: readonly Change[]): ReadonlyMap<string, string> {
  const unnamed = changes.filter(({ byName }) => byName === undefined).flatMap(({ by }) => by ?? []);
  const externalId = [...new Set(unnamed)].slice(0, MAX_FILTER_VALUES);
  const { value = new Map() } = useReading(JSON.stringify(externalId), async (signal) => {
    if (externalId.length === 0) return new Map<string, string>();
    const { content } = await read<Page>('', { externalId, size: MAX_FILTER_VALUES }, signal);
    return new Map(content.map((user) => [user.externalId ?? '', user.name]));
  });
  return value;
}

/** The author of a change, by name if it is known. */
export const whoOf = ({ by, byName }: Change, names: ReadonlyMap<string, string>): string | undefined =>
  byName ?? (by === undefined ? undefined : (names.get(by) ?? by));

/** The change before a version, with its values. Undefined if it was erased. */
async function differencesOf({ id, version }: Change, signal: AbortSignal): Promise<UserChange | undefined> {
  const [only] = await read<UserChange[]>(`/${id}/changes`, { before: version + 1, size: 1 }, signal);
  return only?.version === version ? only : undefined;
}

/** The differences of some updates. */
function useDifferences(changes: readonly Change[]): readonly UserChange[] {
  const updates = changes.filter(({ type, user }) => type === 'updated' && user);
  const key = updates.map(({ id, version }) => `${id} ${version}`).join();
  const { value = [] } = useReading(key, async (signal) => {
    const found = await Promise.all(updates.map((change) => differencesOf(change, signal)));
    return found.flatMap((each) => each ?? []);
  });
  return value;
}

/** The progress of an edit. Undefined: it is not kept any more, or not read yet, or not asked for. */
export const useEdit = (edit: string | undefined): EditState | undefined =>
  useReading(edit ?? '', async (signal) =>
    edit === undefined ? undefined : read<EditState>(`/edits/${edit}`, {}, signal).catch(() => undefined),
  ).value;

/** Users of a group whose values say what was done to all of them. */
const LOOKED_AT = 3;

/** "e-mail", "first name", but "ID". */
const inLine = (property: string): string =>
  labelOf(property).replace(/^[A-Z](?=[a-z-])/, (letter) => letter.toLowerCase());

const itemsOf = (value: Value | undefined): readonly string[] | undefined =>
  value === undefined || Array.isArray(value) ? ((value ?? []) as readonly string[]) : undefined;

/** "tags + vip", "status → dormant": what all of a group have got, as far as some of them tell. */
function Given({ changes }: { changes: readonly UserChange[] }) {
  const texts = changes.flatMap(({ before, after }) => {
    const [old, now] = [valuesOf(before), valuesOf(after)];
    return differing(old, now).map((property) => {
      const [was, is] = [old.get(property), now.get(property)];
      const [had, has] = [itemsOf(was), itemsOf(is)];
      if (!had || !has || (was === undefined && is === undefined)) return [inLine(property), '→', textOf(is)] as const;
      const added = has.filter((item) => !had.includes(item));
      const gone = had.filter((item) => !has.includes(item));
      return added.length > 0
        ? ([inLine(property), '+', added.join(', ')] as const)
        : ([inLine(property), '−', gone.join(', ')] as const);
    });
  });
  return (
    <>
      {[...new Map(texts.map((text) => [text.join(' '), text])).values()].map(([label, sign, value]) => (
        <span key={label + sign + value}>
          {' · '}
          <span class="text-light">
            {label} {sign}
          </span>{' '}
          {value === '' ? <em>none</em> : <bdi>{value}</bdi>}
        </span>
      ))}
    </>
  );
}

/** "· status active → suspended": what was changed of one user. */
const Changed = ({ before, after }: Differences) => {
  const [old, now] = [valuesOf(before), valuesOf(after)];
  return (
    <>
      {differing(old, now).map((property) => (
        <span key={property}>
          {' · '}
          {inLine(property)} <del class="text-light">{shown(old.get(property))}</del>
          <span class="text-light"> → </span>
          {shown(now.get(property))}
        </span>
      ))}
    </>
  );
};

const UserLink = ({ change: { id, user } }: { change: Change }) => (
  <a class="unstyled" href={addressWith({ user: String(id), at: '' })} dir="auto">
    <b>{user?.name ?? `User ${id}`}</b>
  </a>
);

const DONE = { created: 'created', updated: 'changed', deleted: 'deleted' };
const TAKEN_BACK = { created: 'brought back', updated: 'as before', deleted: 'deleted again' };

/** Users of a group that are shown at first, and more at each click. */
const STEP = 20;

/** One user of a group, and what was changed. */
function Member({ change }: { change: Change }) {
  const [differences] = useDifferences([change]);
  const [old, now] = [valuesOf(differences?.before ?? {}), valuesOf(differences?.after ?? {})];
  const properties = differing(old, now);
  return (
    <li>
      <UserLink change={change} />
      {properties.map((property) => (
        <span key={property} class="differences">
          <span class="text-light">
            {properties.length > 1 && `${inLine(property)}: `}
            {old.has(property) ? <bdi>{textOf(old.get(property))}</bdi> : <em>no {inLine(property)}</em>}
          </span>
          <span>
            <span class="unseen">became </span>
            {shown(now.get(property))}
          </span>
        </span>
      ))}
    </li>
  );
}

/** All that is known of a group. */
interface Known {
  group: Group;
  groups: readonly Group[];
  /** How many users it has changed: all of an edit, or as many as were read. */
  number: number;
  /** Whether there may be more. */
  isMore: boolean;
  state: EditState | undefined;
  /** Those of some of its users. */
  differences: readonly UserChange[];
}

function useKnown(group: Group, groups: readonly Group[], isWhole: boolean): Known {
  const { edit, changes } = group;
  const state = useEdit(edit);
  const differences = useDifferences(changes.slice(0, LOOKED_AT));
  const number = Math.max(state?.changed ?? 0, changes.length);
  return {
    group,
    groups,
    number,
    isMore: !isWhole && !state && (number > 1 || edit !== undefined),
    state,
    differences,
  };
}

/** The undo of an edit, if it is known. Where it may not be among the changes that are shown, it is asked for. */
function useUndone({ group: { edit }, groups }: Known): boolean {
  const isNarrow = [view.person, view.type, view.about, view.to].some((each) => each !== '');
  const undo = edit === undefined ? undefined : undoOf(edit);
  const isKnown = undo !== undefined && groups.some((each) => each.edit === undo);
  const asked = useEdit(isNarrow && !isKnown ? undo : undefined);
  return isKnown || asked !== undefined;
}

/** Whether no later change of its user was read. */
const isLast = ({ group, groups }: Known): boolean => {
  const { id, at } = group.changes[0];
  return groups.every(({ changes }) => changes.every((each) => each.id !== id || each.at <= at));
};

/** The actions on a group: none if it was undone. */
function Action({ known }: { known: Known }) {
  const { attempt, isSaving, progress } = useSaving();
  const isUndone = useUndone(known);
  const { edit, changes } = known.group;
  const [{ user, type, id }] = changes;
  const [differences] = known.differences;
  const button = (text: string, ...how: Parameters<typeof attempt>) => (
    <Button text={text} class="link" disabled={isSaving || isOffline()} onClick={() => attempt(...how)} />
  );
  function ofOne() {
    if (type === 'deleted') return user && isLast(known) && button('Bring back', () => bringBack(user));
    return differences && button('Undo', () => restoreLine(id, differences));
  }
  function what() {
    if (isUndone) return <span class="text-light">undone</span>;
    if (!may('users:write') || undoneBy(edit) !== undefined) return null;
    if (edit === undefined) return ofOne();
    return button(type === 'deleted' ? 'Bring back' : 'Undo', (onShare) => undoMany(edit, onShare));
  }
  return (
    <span class="action">
      {what()}
      {progress}
    </span>
  );
}

/** "in 3 minutes" */
function spanOf(changes: Group['changes']): string {
  const minutes = Math.round((Date.parse(changes[0].at) - Date.parse(changes.at(-1)?.at ?? '')) / 60_000);
  return minutes > 0 ? ` · in ${counted(minutes, 'minute')}` : '';
}

/** The edit, and its failures. */
const Rest = ({ known: { group, number, isMore, state } }: { known: Known }) => (
  <span class="text-light">
    {group.changes[0].type === 'created' && number > 1 && !isMore && spanOf(group.changes)}
    {state && state.left > 0 && ` · ${numberOf(state.left)} left`}
    {state && state.failed.length > 0 && ` · ${numberOf(state.failed.length)} not`}
  </span>
);

/** The changes of the users of a group: one, or several. */
function Words({ known }: { known: Known }) {
  const { group, groups, number, differences } = known;
  const [{ type, user }] = group.changes;
  const undone = undoneBy(group.edit);
  if (!user && number === 1) return <span class="text-light"> · erased</span>;
  if (undone !== undefined) {
    const original = groups.find(({ edit }) => edit === undone)?.changes[0];
    return (
      <>
        {` ${TAKEN_BACK[type]}`}
        <span class="text-light"> · undo{original && ` of ${clockOf(original.at)}`}</span>
      </>
    );
  }
  const [only] = differences;
  return (
    <>
      {only && number === 1 && <Changed {...only} />}
      {only && number > 1 && <Given changes={differences} />}
      {!only && ` ${DONE[type]}`}
      <Rest known={known} />
    </>
  );
}

const usersOf = ({ number, isMore }: Known): string =>
  isMore ? `${numberOf(number)}+ users` : counted(number, 'user');

/** Names that stand in the line of several who were deleted. */
const NAMED = 3;

const Names = ({ changes }: Group) => (
  <span class="text-light wide">
    {' · '}
    {changes.slice(0, NAMED).map(({ user }, n) => (
      <span key={user?.id}>
        {n > 0 && ', '}
        <bdi>{user?.name ?? 'erased'}</bdi>
      </span>
    ))}
    {changes.length > NAMED && ' …'}
  </span>
);

interface MembersProps {
  known: Known;
  id: string;
  isWhole: boolean;
  onMore(): void;
  onFold(): void;
}

/** The users of a group: twenty, then more. */
function Members({ known, id, isWhole, onMore, onFold }: MembersProps) {
  const [most, setMost] = useState(STEP);
  const { changes, edit } = known.group;
  const hasMore = edit === undefined ? known.isMore : !isWhole && known.number > changes.length;
  return (
    <div class="members" id={id}>
      <ul class="unstyled">
        {changes.slice(0, most).map((each) => (
          <Member key={`${each.id} ${each.version}`} change={each} />
        ))}
      </ul>
      {(most < changes.length || hasMore) && (
        <Button
          text={`${STEP} more of ${usersOf(known)}`}
          class="link"
          onClick={() => {
            if (most + STEP > changes.length && hasMore) onMore();
            setMost(most + STEP);
          }}
        />
      )}
      <Button text="Fold" class="link" onClick={onFold} />
    </div>
  );
}

const KINDS = { created: 'success', updated: 'change', deleted: 'danger' };

const Moment = ({ at }: { at: string }) => (
  <time dateTime={at} title={timeOf(at)} class="text-light">
    {dayOf(at) === dayOf(Date.now()) ? agoOf(at) : clockOf(at)}
  </time>
);

const Who = ({ change, names }: { change: Change; names: ReadonlyMap<string, string> }) => (
  <span class="who">
    {change.by !== undefined && (
      <a class="unstyled" href={addressWith({ show: 'changes', person: change.by, user: '', at: '' })} dir="auto">
        {whoOf(change, names)}
      </a>
    )}
  </span>
);

interface LineProps {
  group: Group;
  groups: readonly Group[];
  names: ReadonlyMap<string, string>;
  isWhole: boolean;
  onMore?: (() => void) | undefined;
}

function Line({ group, groups, names, isWhole, onMore }: LineProps) {
  const known = useKnown(group, groups, isWhole);
  const [isOpen, setOpen] = useState(false);
  const toggle = useRef<HTMLButtonElement>(null);
  const id = useId();
  const [change] = group.changes;
  const isMany = known.number > 1 || known.isMore;
  const isFoldable = isMany && onMore !== undefined;
  const kind = undoneBy(group.edit) === undefined ? KINDS[change.type] : 'none';
  return (
    <li class="change">
      <Moment at={change.at} />
      <i class={`dot of-${kind}`} aria-hidden="true" />
      <div class="what">
        {!isMany && <UserLink change={change} />}
        {isMany && !isFoldable && (
          <a class="unstyled" href="#show=changes">
            <b>{usersOf(known)}</b>
          </a>
        )}
        {isFoldable && (
          <Button
            ref={toggle}
            text={
              <>
                <Icon of={isOpen ? 'down' : 'right'} />
                <b>{usersOf(known)}</b>
              </>
            }
            class="link toggle"
            aria-expanded={isOpen}
            aria-controls={isOpen ? id : undefined}
            onClick={() => setOpen(!isOpen)}
          />
        )}
        <Words known={known} />
        {isFoldable && change.type === 'deleted' && !isOpen && <Names {...group} />}
      </div>
      <Who change={change} names={names} />
      <Action known={known} />
      {isOpen && onMore && (
        <Members
          {...{ known, id, isWhole, onMore }}
          onFold={() => {
            setOpen(false);
            toggle.current?.focus();
          }}
        />
      )}
    </li>
  );
}

interface Props {
  /** The newest first. */
  changes: readonly Change[];
  isWhole: boolean;
  onMore?: () => void;
  /** Lines that are shown at most. */
  most?: number;
}

/** All changes, by days, the newest first: an edit is a line. */
export function ChangeList({ changes, isWhole, onMore, most }: Props) {
  const names = useNames(changes);
  const groups = groupsOf(changes);
  const days = Map.groupBy(groups.slice(0, most), (group) => dayOf(group.changes[0].at));
  return (
    <>
      {[...days].map(([day, those]) => {
        const { near, name } = dayNames(day);
        return (
          <section key={day} class="day" aria-label={near ? `${near}, ${name}` : name}>
            <h3>
              {near ?? name}
              {near && <span class="wide">, {name}</span>}
            </h3>
            <ol class="changes unstyled">
              {those.map((group) => (
                <Line key={group.key} {...{ group, groups, names, isWhole, onMore }} />
              ))}
            </ol>
          </section>
        );
      })}
    </>
  );
}
