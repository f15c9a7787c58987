import type { ComponentChildren } from 'preact';
import { useId, useState } from 'preact/hooks';
import { isNumber } from '../../lib/users/user.ts';
import { Combobox } from './Combobox.tsx';
import { type Entry, textOf, type Value } from './edit.ts';
import { ATTRIBUTE, hasFewValues, isAttribute, labelOf, valueText } from './filters.ts';
import { Icon } from './icons.tsx';
import { Button, Dot } from './parts.tsx';
import type { Counted } from './suggest.ts';
import { counted as countedOf, countryOf } from './time.ts';
import { useCounted } from './useCounted.ts';
import { exactOf, isUnknown, nearestOf, type ValueLine, valueLines } from './values.ts';

/** An attribute with more values than these is not one of few: none is offered, and none is strange. */
const FEW = 60;

interface Props {
  entry: Entry;
  /** The value before, which nobody doubts. */
  before?: Value | undefined;
  /** The values that are meant though nobody has them. */
  meant?: readonly string[] | undefined;
  /** Whether a value that nobody has needs no further word: a preview shows what comes of it. */
  isPreviewed?: boolean;
  label: string;
  id?: string;
  isReadOnly?: boolean;
  isRequired?: boolean;
  /** Its fault. */
  fault?: string | undefined;
  onEntry(change: Partial<Entry>, meant?: readonly string[]): void;
  /** It was left, or a choice was made. */
  onLeave?(): void;
}

interface DoubtProps {
  property: string;
  value: string;
  known: readonly Counted[];
  id: string;
  onNearest(value: string): void;
  /** Absent: it was said that it is meant so. */
  onMeant?: (() => void) | undefined;
}

/** Says of a value that nobody has it, and which one may be meant. */
function Doubt({ property, value, known, id, onNearest, onMeant }: DoubtProps) {
  const nearest = nearestOf(property, value, known);
  const isOwn = isAttribute(property);
  return (
    <p class="doubt" role="status" id={id}>
      <b>
        Nobody has {!isOwn && `the ${labelOf(property).toLowerCase()} `}“<bdi>{value}</bdi>”
        {isOwn && ` in ${labelOf(property)}`} yet.
      </b>
      {nearest && (
        <>
          {' Is '}
          <Button
            text={<bdi>{valueText(property, nearest.value)}</bdi>}
            class="link"
            onClick={() => onNearest(nearest.value)}
          />
          {nearest.count > 0 && ` (${countedOf(nearest.count, 'user')})`} meant?
        </>
      )}
      {onMeant && (
        <>
          {' Or '}
          <Button text="store it as it is" class="link" onClick={onMeant} />.
        </>
      )}
    </p>
  );
}

/** The values that users have of a property, once its box was used. Undefined: they are not known yet. */
function useKnown(property: string, isUsed: boolean): readonly Counted[] | undefined {
  // An attribute without a name has none.
  const isAsked = isUsed && hasFewValues(property) && property !== ATTRIBUTE;
  const known = useCounted({}, isAsked ? [property] : []).get(property);
  if (!hasFewValues(property)) return [];
  return known && isAttribute(property) && known.length > FEW ? [] : known;
}

/** The attributes that say what is wrong with a box, to be read out. */
const describedBy = (id: string, fault: string | undefined) => ({
  ...(fault !== undefined && { 'aria-invalid': 'true' as const }),
  'aria-describedby': `fault-${id} doubt-${id}`,
});

/** The colour of a state, the code of a country, and the sign of a list. */
const Signs = ({ property, text }: { property: string; text: string }) => (
  <>
    {property === 'status' && text !== '' && <Dot text={text} />}
    {property === 'country' && countryOf(text) !== undefined && <small class="code">{text}</small>}
    {!isAttribute(property) && <Icon of="down" />}
  </>
);

/** One of the values that others have, or another one. */
function OneOf({ entry, before, meant = [], isPreviewed, label, id = '', isReadOnly, fault, onEntry, onLeave }: Props) {
  const { property, text } = entry;
  // Undefined: nobody types.
  const [typed, setTyped] = useState<string>();
  const [isUsed, setUsed] = useState(false);
  const known = useKnown(property, isUsed);
  const isChanged = text !== '' && text !== textOf(before);
  const isStrange = isChanged && (known === undefined ? isUsed : isUnknown(property, text, known));
  const set = (value: string, isMeant = false) => onEntry({ text: value }, isMeant ? [value] : undefined);
  return (
    <>
      <Combobox<ValueLine>
        {...describedBy(id, fault)}
        id={id}
        aria-label={label}
        readOnly={isReadOnly}
        maxLength={500}
        text={typed ?? valueText(property, text)}
        options={valueLines(property, typed ?? '', known ?? [])}
        hasDots={property === 'status'}
        {...(isStrange && !meant.includes(text) && { 'data-doubt': known ? 'unknown' : 'unasked' })}
        onFocus={() => setUsed(true)}
        onText={(now) => {
          setTyped(now);
          set(exactOf(property, now, known ?? []) ?? now.trim());
        }}
        onTake={({ value, isAsItIs }) => {
          setTyped(undefined);
          set(value, isAsItIs);
          onLeave?.();
        }}
        onLeave={() => {
          setTyped(undefined);
          onLeave?.();
        }}
      >
        <Signs property={property} text={typed === undefined ? text : ''} />
      </Combobox>
      {isStrange && (typed === undefined || isPreviewed) && known && (
        <Doubt
          property={property}
          value={text}
          known={known}
          id={`doubt-${id}`}
          onNearest={(value) => set(value)}
          onMeant={isPreviewed || meant.includes(text) ? undefined : () => set(text, true)}
        />
      )}
    </>
  );
}

/** The items of a list, each with a button that takes it away, and a box for one more. */
function Items({ entry, before, meant = [], isPreviewed, label, id = '', isReadOnly, fault, onEntry, onLeave }: Props) {
  const { property, text, items } = entry;
  const [isUsed, setUsed] = useState(false);
  const known = useKnown(property, isUsed);
  const old: readonly string[] = Array.isArray(before) ? before : [];
  const strange = items.find(
    (item) => !old.includes(item) && !meant.includes(item) && isUnknown(property, item, known ?? []),
  );
  const add = (more: readonly string[], isMeant = false) => {
    const named = more.map((item) => exactOf(property, item, known ?? []) ?? item.trim()).filter(Boolean);
    onEntry({ items: [...new Set([...items, ...named])], text: '' }, isMeant ? [...meant, ...named] : meant);
  };
  const remove = (item: string) => onEntry({ items: items.filter((each) => each !== item) }, meant);
  return (
    <>
      <Combobox<ValueLine>
        {...describedBy(id, fault)}
        id={id}
        aria-label={label}
        readOnly={isReadOnly}
        text={text}
        options={valueLines(property, text, known ?? []).filter(({ value }) => !items.includes(value))}
        {...(strange !== undefined && { 'data-doubt': '' })}
        onFocus={() => setUsed(true)}
        onText={(now) => (now.includes(',') ? add(now.split(',')) : onEntry({ text: now }, meant))}
        onTake={({ value, isAsItIs }) => {
          add([value], isAsItIs);
          onLeave?.();
        }}
        onLeave={() => {
          if (text.trim() !== '') add([text]);
          onLeave?.();
        }}
        onKeyDownCapture={({ key }) => {
          const last = items.at(-1);
          if (key === 'Backspace' && text === '' && last !== undefined && !isReadOnly) remove(last);
        }}
      >
        {items.map((item) => (
          <span key={item} class="item">
            <bdi>{item}</bdi>
            {!isReadOnly && <Button text="×" class="ghost" name={`Remove ${item}`} onClick={() => remove(item)} />}
          </span>
        ))}
      </Combobox>
      {strange !== undefined && (
        <Doubt
          property={property}
          value={strange}
          known={known ?? []}
          id={`doubt-${id}`}
          onNearest={(value) => {
            const others = items.map((item) => (item === strange ? value : item));
            onEntry({ items: [...new Set(others)] }, meant);
          }}
          onMeant={isPreviewed ? undefined : () => onEntry({}, [...meant, strange])}
        />
      )}
    </>
  );
}

function YesNo({ entry, label, id = '', isReadOnly, fault, onEntry, onLeave }: Props) {
  const name = useId();
  return (
    <div role="radiogroup" aria-label={label} class="choice" id={id} {...describedBy(id, fault)}>
      {[
        ['true', 'yes'],
        ['false', 'no'],
      ].map(([value = '', text]) => (
        <label key={value}>
          <input
            type="radio"
            name={name}
            checked={entry.text === value}
            disabled={isReadOnly}
            onChange={() => {
              onEntry({ text: value });
              onLeave?.();
            }}
          />
          {text}
        </label>
      ))}
    </div>
  );
}

/** A date. A text that is not yet a date is kept as it was typed. */
function DateBox({ entry, label, id = '', isReadOnly, fault, onEntry, onLeave }: Props) {
  const [first] = useState(entry.text);
  return (
    <input
      {...describedBy(id, fault)}
      id={id}
      type="date"
      aria-label={label}
      defaultValue={first}
      readOnly={isReadOnly}
      onInput={({ currentTarget }) => onEntry({ text: currentTarget.validity.badInput ? 'This' : currentTarget.value })}
      onBlur={onLeave}
    />
  );
}

function Text({ entry, label, id = '', isReadOnly, isRequired, fault, onEntry, onLeave }: Props) {
  const { property, kind, text } = entry;
  const mode = kind === 'number' || isNumber(property) ? 'decimal' : property === 'email' ? 'email' : 'text';
  return (
    <input
      {...describedBy(id, fault)}
      id={id}
      dir="auto"
      aria-label={label}
      autocomplete="off"
      inputMode={mode}
      required={isRequired}
      readOnly={isReadOnly}
      value={text}
      onInput={({ currentTarget }) => onEntry({ text: currentTarget.value })}
      onBlur={onLeave}
    />
  );
}

const INPUTS = { list: Items, 'yes / no': YesNo, date: DateBox, number: Text, text: Text } as const;

/** The box of a value of any kind. It says below it what is wrong, and what nobody has. */
export function ValueInput(props: Props): ComponentChildren {
  const own = useId();
  const { entry, id = own, fault } = props;
  const Input = entry.kind === 'text' && hasFewValues(entry.property) ? OneOf : INPUTS[entry.kind];
  return (
    <>
      <Input {...props} id={id} />
      {fault !== undefined && (
        <p class="fault" id={`fault-${id}`} role="alert">
          {fault}
        </p>
      )}
    </>
  );
}
