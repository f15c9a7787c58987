import type { ComponentChildren } from 'preact';
import { useId, useRef, useState } from 'preact/hooks';
import { MAX_FILTER_VALUES } from '../../../schemas/limits.ts';
import { type Change, type EditState, isOffline, type Page, read, type UserChange } from '../data/connection.ts';
import { differing, textOf, type Value, valuesOf } from '../data/edit.ts';
import { labelOf } from '../data/filters.ts';
import { addressWith, type Doing, shared, view } from '../data/state.ts';
import { undoMany } from '../data/task.ts';
import { agoOf, clockOf, counted, dayNames, dayOf, numberOf } from '../data/time.ts';
import { bringBack, restoreLine, takeBack } from '../data/write.ts';
import { Icon } from '../parts/icons.tsx';
import { Button, Text, When } from '../parts/parts.tsx';
import { useReading } from '../parts/useReading.tsx';
import { useSaving } from '../parts/useSaving.tsx';
import { may } from '../session/session.ts';
import { type Group, groupsOf, isNear, undoneBy, undoOf } from './groups.ts';

/** A property to which a change has given another value. */
interface Difference {
  property: string;
  old: Value | undefined;
  now: Value | undefined;
}

type States = Pick<UserChange, 'before' | 'after'>;

function differencesIn({ before, after }: States): Difference[] {
  const [old, now] = [valuesOf(before), valuesOf(after)];
  return differing(old, now).map((property) => ({ property, old: old.get(property), now: now.get(property) }));
}

const shown = (value: Value | undefined) => (value === undefined ? <em>none</em> : <Text text={textOf(value)} />);

/** "active → suspended". The arrow stays with what it leads to. */
const Values = ({ old, now, none = 'none' }: Difference & { none?: string }) => (
  <>
    {old === undefined ? <em>{none}</em> : <del>{shown(old)}</del>}
    <small>{' →\u00a0'}</small>
    {shown(now)}
  </>
);

export const FieldChanges = (states: States) => (
  <ul class="unstyled">
    {differencesIn(states).map((each) => (
      <li key={each.property}>
        {labelOf(each.property)} <Values {...each} />
      </li>
    ))}
  </ul>
);

export type Author = Pick<Change, 'by' | 'byName'>;

/** Names the authors of some changes: by their tokens, or as the users whose external ids their subjects are. */
export function useNames(changes: readonly Author[]) {
  const unnamed = changes.filter(({ byName }) => byName === undefined).flatMap(({ by }) => by ?? []);
  const externalId = [...new Set(unnamed)].slice(0, MAX_FILTER_VALUES);
  const find = async (signal: AbortSignal) => {
    const { content } = await read<Page>('', { externalId, size: MAX_FILTER_VALUES }, signal);
    return new Map(content.map((user) => [user.externalId, user.name]));
  };
  const { value } = useReading(JSON.stringify(externalId), externalId.length > 0 ? find : undefined);
  return ({ by, byName }: Author): string | undefined => byName ?? value?.get(by) ?? by;
}

/** The differences that some updates have made. One that was erased has none. */
function useDifferences(changes: readonly Change[]): readonly UserChange[] {
  const updates = changes.filter(({ type, user }) => type === 'updated' && user);
  const key = updates.map(({ id, version }) => `${id} ${version}`).join();
  const { value = [] } = useReading(key, (signal) =>
    Promise.all(
      updates.map(async ({ id, version }) => {
        const changes = await read<UserChange[]>(`/${id}/changes`, { before: version + 1, size: 1 }, signal);
        return changes.filter((each) => each.version === version);
      }),
    ),
  );
  return value.flat();
}

/** The progress of an edit. Undefined: it is not kept any more, or not there, or not read yet, or not asked for. */
export function useEdit(edit: string | undefined): EditState | undefined {
  const edits = useRef(shared.edits);
  const known = useRef<EditState>(undefined);
  // An edit that is not whole may go on: it is read again with all else.
  if (known.current?.left !== 0) edits.current = shared.edits;
  const { value } = useReading(
    `${edit} ${edits.current}`,
    edit === undefined ? undefined : (signal) => read<EditState>(`/edits/${edit}`, {}, signal).catch(() => undefined),
  );
  known.current = value;
  return value;
}

/** "e-mail", "first name", but "ID". */
const inLine = (property: string): string =>
  labelOf(property).replace(/^[A-Z](?=[a-z-])/, (letter) => letter.toLowerCase());

/** The items of a list. None is an empty one. */
const itemsOf = (value: Value | undefined) =>
  value === undefined || Array.isArray(value) ? ((value ?? []) as readonly string[]) : undefined;

/** "tags + vip", "status → dormant" */
function gainOf({ property, old, now }: Difference) {
  const [label, had, has] = [inLine(property), itemsOf(old), itemsOf(now)];
  if (!had || !has) return { label, sign: '→', value: textOf(now) };
  const added = has.filter((item) => !had.includes(item));
  if (added.length > 0) return { label, sign: '+', value: added.join(', ') };
  return { label, sign: '−', value: had.filter((item) => !has.includes(item)).join(', ') };
}

/** The values that a group has got, as far as some of its users tell. */
function Gains({ changes }: { changes: readonly States[] }) {
  const gains = changes.flatMap(differencesIn).map(gainOf);
  return [...new Map(gains.map((gain) => [Object.values(gain).join(' '), gain]))].map(
    ([key, { label, sign, value }]) => (
      <span key={key}>
        {` · ${label} `}
        <small>{sign}</small> {value === '' ? <em>none</em> : <Text text={value} />}
      </span>
    ),
  );
}

const UserLink = ({ change: { id, user } }: { change: Change }) => (
  <a class="unstyled" href={addressWith({ user: String(id), at: '' })}>
    <b>
      <Text text={user?.name ?? `User ${id}`} />
    </b>
  </a>
);

interface ListProps {
  /** All that were read, the newest first. */
  changes: readonly Change[];
  /** Whether there are no older ones. */
  isWhole: boolean;
  /** Reads older ones. Without it, the users of a group are not shown. */
  onMore?: () => void;
}

/** Users of a group whose values say what was done to all of them. */
const LOOKED_AT = 3;

/** Whether an edit was undone, if that is known. Where its undo may not be among the changes that are shown, it is asked for. */
function useUndone(edit: string | undefined, groups: readonly Group[]): boolean {
  const isNarrow = [view.person, view.type, view.about, view.to].some((each) => each !== '');
  const undo = edit === undefined ? undefined : undoOf(edit);
  const isKnown = undo !== undefined && groups.some((each) => each.edit === undo);
  const asked = useEdit(isNarrow && !isKnown ? undo : undefined);
  return isKnown || asked !== undefined;
}

/** A group, and all that is known of it. */
function useKnown(group: Group, groups: readonly Group[], { changes: all, isWhole }: ListProps) {
  const { edit, changes } = group;
  const state = useEdit(edit);
  const isUndone = useUndone(edit, groups);
  const differences = useDifferences(changes.slice(0, LOOKED_AT));
  const oldest = all.at(-1);
  /** Whether older changes may be of it: none is older than its edit. */
  const goesOn = !oldest || (edit ? !state || oldest.at >= state.at : changes.length > 1 && isNear(changes, oldest));
  const isOpen = !isWhole && goesOn;
  /** How many users it has changed: what an edit says, or as many as were read. Undefined: many. */
  const number = isOpen && !state ? undefined : Math.max(state?.changed ?? 0, changes.length);
  const users = number === undefined ? 'Many users' : counted(number, 'user');
  return { ...group, groups, differences, isUndone, number, isOpen, isMany: number !== 1, users };
}

type Known = ReturnType<typeof useKnown>;

type Undo = (onShare: (share: number) => void) => Promise<void>;

/** The way to take a group back. Undefined: there is none. */
function undoIn({ edit, groups, changes, differences }: Known): Undo | undefined {
  const [{ id, at, user, type }] = changes;
  const [first] = differences;
  if (undoneBy(edit) !== undefined) return undefined;
  if (edit !== undefined) return (onShare) => undoMany(edit, onShare);
  if (type !== 'deleted') return first && (() => restoreLine(id, first));
  const isLast = groups.every((each) => each.changes.every((other) => other.id !== id || other.at <= at));
  return user && isLast ? () => bringBack(user) : undefined;
}

function Action({ known }: { known: Known }) {
  const { attempt, isSaving, progress } = useSaving();
  const undo = undoIn(known);
  if (known.isUndone) return <small>undone</small>;
  return (
    <>
      {undo && may('users:write') && (
        <Button
          text={known.changes[0].type === 'deleted' ? 'Bring back' : 'Undo'}
          class="link"
          disabled={isSaving || isOffline()}
          onClick={() => attempt(undo)}
        />
      )}
      {progress}
    </>
  );
}

export const DONE = { created: 'created', updated: 'changed', deleted: 'deleted' };
const TAKEN_BACK = { created: 'brought back', updated: 'as before', deleted: 'deleted again' };

/** Fields of a change that a line tells. The card has all. */
const TOLD = 4;

/** The words for the change of a group, of one user or of several. */
function Done({ known }: { known: Known }) {
  const { edit, changes, groups, isMany, differences } = known;
  const [{ type, user }] = changes;
  const undone = undoneBy(edit);
  const [first] = differences;
  if (!user && !isMany) return <small> · erased</small>;
  if (undone !== undefined) {
    const original = groups.find((each) => each.edit === undone)?.changes[0];
    return (
      <>
        {` ${TAKEN_BACK[type]}`}
        <small> · undo{original && ` of ${clockOf(original.at)}`}</small>
      </>
    );
  }
  if (first && isMany) return <Gains changes={differences} />;
  if (first) {
    const all = differencesIn(first);
    return (
      <>
        {all.slice(0, TOLD).map((each) => (
          <span key={each.property}>
            {` · ${inLine(each.property)} `}
            <Values {...each} />
          </span>
        ))}
        {all.length > TOLD && <small> · {counted(all.length - TOLD, 'more field')}</small>}
      </>
    );
  }
  return <> {DONE[type]}</>;
}

/** Names that stand in the line of several who were deleted. */
const NAMED = 3;

const Names = ({ changes, number }: Known) => (
  <small class="wide">
    {' · '}
    {changes.slice(0, NAMED).map(({ id, user }, n) => (
      <span key={id}>
        {n > 0 && ', '}
        <Text text={user?.name ?? 'erased'} />
      </span>
    ))}
    {number === undefined ? ' and more' : number > NAMED && ` and ${numberOf(number - NAMED)} more`}
  </small>
);

/** One user of a group, and what was changed. */
function Member({ change }: { change: Change }) {
  const differences = useDifferences([change]).flatMap(differencesIn);
  return (
    <li>
      <UserLink change={change} />
      {differences.map((each) => (
        <span key={each.property} class="differences">
          {differences.length > 1 && inLine(each.property)}
          <Values {...each} none={`no ${inLine(each.property)}`} />
        </span>
      ))}
    </li>
  );
}

/** Users of a group that are shown at first, and more at each click. */
const STEP = 20;

interface MembersProps {
  known: Known;
  id: string;
  onMore: (() => void) | undefined;
  onFold(): void;
}

function Members({ known: { changes, number, isOpen }, id, onMore, onFold }: MembersProps) {
  const [most, setMost] = useState(STEP);
  const missing = number === undefined ? STEP : number - changes.length;
  const next = Math.min(STEP, changes.length - most + (isOpen ? missing : 0));
  return (
    <div class="members" id={id}>
      <ul class="unstyled">
        {changes.slice(0, most).map((each) => (
          <Member key={`${each.id} ${each.version}`} change={each} />
        ))}
      </ul>
      {missing > 0 && !isOpen && <p class="text-light">{numberOf(missing)} more are not among these.</p>}
      {next > 0 && (
        <Button
          text={number === undefined ? 'More' : `${next} more of ${numberOf(number)}`}
          class="link"
          onClick={() => {
            if (most + STEP > changes.length && isOpen) onMore?.();
            setMost(most + STEP);
          }}
        />
      )}
      <Button text="Fold" class="link" onClick={onFold} />
    </div>
  );
}

interface RowProps {
  at: string;
  kind: string;
  who: ComponentChildren;
  action: ComponentChildren;
  /** The users below it. */
  members?: ComponentChildren;
  /** The words for the change. */
  children: ComponentChildren;
}

/** When something was done, what, by whom, and what can be done about it. */
const Row = ({ at, kind, who, action, members, children }: RowProps) => (
  <li class="change">
    <When at={at} words={dayOf(at) === dayOf(Date.now()) ? agoOf(at) : clockOf(at)} />
    <i class={`dot of-${kind}`} aria-hidden="true" />
    <div class="what">{children}</div>
    <span class="who" dir="auto">
      {who}
    </span>
    <span class="action">{action}</span>
    {members}
  </li>
);

/** The colours of kinds of changes. */
export const KINDS = { created: 'success', updated: 'change', deleted: 'danger' };

interface LineProps {
  group: Group;
  groups: readonly Group[];
  nameOf: ReturnType<typeof useNames>;
  list: ListProps;
}

function Line({ group, groups, nameOf, list }: LineProps) {
  const known = useKnown(group, groups, list);
  const [isOpen, setOpen] = useState(false);
  const toggle = useRef<HTMLButtonElement>(null);
  const id = useId();
  const [change] = group.changes;
  const isFoldable = known.isMany && list.onMore !== undefined;
  const fold = () => {
    setOpen(false);
    toggle.current?.focus();
  };
  return (
    <Row
      at={change.at}
      kind={undoneBy(group.edit) === undefined ? KINDS[change.type] : 'none'}
      who={
        change.by !== undefined && (
          <a class="unstyled" href={addressWith({ show: 'changes', person: change.by, user: '', at: '' })}>
            {nameOf(change)}
          </a>
        )
      }
      action={<Action known={known} />}
      members={isOpen && <Members {...{ known, id }} onMore={list.onMore} onFold={fold} />}
    >
      {!known.isMany && <UserLink change={change} />}
      {known.isMany && !isFoldable && (
        <a class="unstyled" href="#show=changes">
          <b>{known.users}</b>
        </a>
      )}
      {isFoldable && (
        <Button
          ref={toggle}
          text={
            <>
              <Icon of={isOpen ? 'down' : 'right'} />
              <b>{known.users}</b>
            </>
          }
          class="link toggle"
          aria-expanded={isOpen}
          aria-controls={isOpen ? id : undefined}
          onClick={() => setOpen(!isOpen)}
        />
      )}
      <Done known={known} />
      {isFoldable && change.type === 'deleted' && !isOpen && <Names {...known} />}
    </Row>
  );
}

/** After these milliseconds the feed has it, or never will. */
const GONE_MS = 60_000;

/** The changes that this tab has made a moment ago: the feed has them some seconds later. */
export function Doings({ changes }: { changes: readonly Change[] }) {
  const isTold = ({ of }: Doing): boolean =>
    changes.some(({ id, version, edit }) => ('edit' in of ? edit === of.edit : id === of.id && version >= of.version));
  const recent = shared.doings.filter((doing) => Date.now() - Date.parse(doing.at) < GONE_MS && !isTold(doing));
  return (
    <ol class="unstyled" aria-label="Done here a moment ago">
      {recent.map(({ at, text, undo }) => (
        <Row
          key={at}
          at={at}
          kind="none"
          who="you, here"
          action={undo && <Button text="Undo" class="link" onClick={() => takeBack(undo)} />}
        >
          {text}
        </Row>
      ))}
    </ol>
  );
}

/** Changes by days, the newest first: an edit is a line. @param most lines that are shown */
export function ChangeList({ most, ...list }: ListProps & { most?: number }) {
  const nameOf = useNames(list.changes);
  const groups = groupsOf(list.changes);
  const days = Map.groupBy(groups.slice(0, most), (group) => dayOf(group.changes[0].at));
  return [...days].map(([day, those]) => {
    const { near, name } = dayNames(day);
    return (
      <section key={day} class="day" aria-label={near ? `${near}, ${name}` : name}>
        <h3>
          {near ?? name}
          {near && <span class="wide">, {name}</span>}
        </h3>
        <ol class="unstyled">
          {those.map((group) => (
            <Line key={group.key} {...{ group, groups, nameOf, list }} />
          ))}
        </ol>
      </section>
    );
  });
}
