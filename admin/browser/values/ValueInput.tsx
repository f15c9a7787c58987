import type { ComponentChildren } from 'preact';
import { useEffect, useId, useRef, useState } from 'preact/hooks';
import { type Entry, isMomentText, isRequired, type Value } from '../data/edit.ts';
import { ATTRIBUTE, hasFewValues, isAttribute, labelOf, short, valueText } from '../data/filters.ts';
import { awayOf, counted, countryOf, timeOf } from '../data/time.ts';
import { Combobox } from '../parts/Combobox.tsx';
import { Icon } from '../parts/icons.tsx';
import { Button, Dot, Text, When } from '../parts/parts.tsx';
import type { Counted } from './suggest.ts';
import { useCounted } from './useCounted.ts';
import { exactOf, isUnknown, nearestOf, type ValueLine, valueLines } from './values.ts';

/** An attribute with more values than these is not one of few: none is offered, and none is strange. */
const FEW = 60;

/** The age above which it is asked whether it is meant. */
const OLD = 130;

/** An entry, and the values that are meant though nobody has them. */
type Meant = Entry & { meant?: readonly string[] };

interface Props {
  entry: Meant;
  /** The value before, which nobody doubts. */
  before?: Value | undefined;
  /** Whether a value that nobody has needs no further word: a preview shows what comes of it. */
  isPreviewed?: boolean;
  label: string;
  id?: string;
  isReadOnly?: boolean;
  /** Its fault. */
  fault?: string | undefined;
  onEntry(change: Partial<Meant>): void;
  /** It was left, or a choice was made. */
  onLeave(): void;
  /** It is known by now whether somebody has the value, or that this cannot be asked. */
  onAsked?(): void;
}

interface InputProps extends Props {
  /** The attributes of the element that has the focus. */
  box: { id: string; readOnly: boolean };
}

interface DoubtProps {
  property: string;
  value: string;
  known: readonly Counted[];
  id: string;
  onNearest(value: string): void;
  /** Absent: it need not be said that it is meant so. */
  onMeant?: (() => void) | undefined;
}

const AsItIs = ({ onMeant }: { onMeant(): void }) => (
  <>
    {' Or '}
    <Button text="store it as it is" class="link" onClick={onMeant} />.
  </>
);

/** Says of a value that nobody has it, and which one may be meant. */
function Doubt({ property, value, known, id, onNearest, onMeant }: DoubtProps) {
  const nearest = nearestOf(property, value, known);
  const isOwn = isAttribute(property);
  return (
    <p class="doubt" role="status" id={id}>
      <b>
        Nobody has {!isOwn && `the ${labelOf(property).toLowerCase()} `}“<Text text={value} />”
        {isOwn && ` in ${labelOf(property)}`} yet.
      </b>
      {nearest && (
        <>
          {' Is '}
          <Button
            text={<Text text={valueText(property, nearest.value)} />}
            class="link"
            onClick={() => onNearest(nearest.value)}
          />
          {nearest.count > 0 && ` (${counted(nearest.count, 'user')})`} meant?
        </>
      )}
      {onMeant && <AsItIs onMeant={onMeant} />}
    </p>
  );
}

/** The values that users have of a property, once its box was used, and those that are offered. Undefined: they are not known. */
function useKnown(property: string, isUsed: boolean) {
  // An attribute without a name has none.
  const { counts, hasFailed } = useCounted({}, isUsed && property !== ATTRIBUTE ? [property] : []);
  const all = counts.get(property);
  const known = all && isAttribute(property) && all.length > FEW ? [] : all;
  return { known, offered: known === all ? all : undefined, isAsked: known !== undefined || hasFailed };
}

/** The first value that nobody has, as far as that is known, and of which nobody has said that it is meant so. */
function strangeIn({ entry, before, isPreviewed }: InputProps, known: readonly Counted[] | undefined) {
  const { property, kind, text, items, meant = [] } = entry;
  const undoubted = ['', before ?? '', isPreviewed ? '' : meant].flat().map(String);
  const doubtful = (kind === 'list' ? items : [text]).filter((value) => !undoubted.includes(value));
  return known ? doubtful.find((value) => isUnknown(property, value, known)) : doubtful[0];
}

interface BesideProps extends InputProps {
  isTyped: boolean;
  remove(item: string): void;
}

/** The parts of a box beside its text: the items of a list, the colour of a state, the code of a country, how old a moment is. */
function Beside({ entry: { property, items, text: all }, box, isTyped, remove }: BesideProps) {
  const text = isTyped ? '' : all;
  return (
    <>
      {items.map((item) => (
        <span key={item} class="item">
          <bdi>{item}</bdi>
          {!box.readOnly && <Button text="×" class="ghost" name={`Remove ${item}`} onClick={() => remove(item)} />}
        </span>
      ))}
      {property === 'status' && text !== '' && <Dot text={text} />}
      {property === 'country' && countryOf(text) !== undefined && <small>{text}</small>}
      {isMomentText(text) && <When at={text} words={awayOf(text)} />}
      {!isAttribute(property) && <Icon of="down" />}
    </>
  );
}

/** One of the values that others have, or a list of them. Any other value may be typed. */
function Known(props: InputProps) {
  const { entry, isPreviewed, box, onEntry, onLeave, onAsked } = props;
  const { property, text, items, meant = [] } = entry;
  const isList = entry.kind === 'list';
  // The text that is typed. Undefined: nobody types. A list has it in its text.
  const [own, setOwn] = useState<string>();
  const typed = isList ? text : own;
  const [isUsed, setUsed] = useState(false);
  const { known, offered, isAsked } = useKnown(property, isUsed);
  // Where it cannot be asked, nothing is said of it.
  const strange = isUsed && (known || !isAsked) ? strangeIn(props, known) : undefined;
  useEffect(() => {
    if (isAsked) onAsked?.();
  }, [isAsked]);

  const nameOf = (name: string) => exactOf(property, name, known ?? []) ?? name.trim();
  const change = (all: readonly string[], alsoMeant?: string) =>
    onEntry({
      ...(isList ? { items: [...new Set(all)].filter(Boolean), text: '' } : { text: all[0] ?? '' }),
      ...(alsoMeant !== undefined && { meant: [...meant, alsoMeant] }),
    });
  // A box is left late by a mouse: an item may have been taken off the list by then.
  const latest = useRef(entry);
  latest.current = entry;
  const add = (more: readonly string[]) => change([...latest.current.items, ...more.map(nameOf)]);
  const keep = (all: readonly string[]) => onEntry({ items: [...new Set(all)] });
  const remove = (item: string | undefined) => keep(items.filter((each) => each !== item));
  const leave = () => {
    setOwn(undefined);
    onLeave();
  };
  return (
    <>
      <Combobox<ValueLine>
        {...box}
        maxLength={500}
        placeholder={isAttribute(property) ? undefined : `No ${labelOf(property).toLowerCase()}`}
        text={typed ?? (isMomentText(text) ? timeOf(text) : valueText(property, text))}
        options={valueLines(property, typed ?? '', offered).filter(({ value }) => !items.includes(value))}
        hasDots={property === 'status'}
        {...(strange !== undefined && { 'data-doubt': known ? 'unknown' : 'unasked' })}
        onFocus={() => {
          setUsed(true);
          if (isMomentText(text)) setOwn(text);
        }}
        onText={(now) => {
          setOwn(now);
          if (!isList) change([nameOf(now)]);
          else if (now.includes(',')) add(now.split(','));
          else onEntry({ text: now });
        }}
        onTake={({ value, isAsItIs }) => {
          change([...items, value], isAsItIs ? value : undefined);
          leave();
        }}
        onLeave={() => {
          // As late as it may come, it changes nothing if nothing was typed.
          if (isList && latest.current.text.trim() !== '') add([latest.current.text]);
          leave();
        }}
        onKeyDownCapture={({ key }) => {
          if (key === 'Backspace' && text === '' && items.length > 0 && !box.readOnly) remove(items.at(-1));
        }}
      >
        <Beside {...props} isTyped={typed !== undefined} remove={remove} />
      </Combobox>
      {strange !== undefined && known && (isList || typed === undefined || isPreviewed) && (
        <Doubt
          property={property}
          value={strange}
          known={known}
          id={`doubt-${box.id}`}
          onNearest={(value) =>
            isList ? keep(items.map((each) => (each === strange ? value : each))) : change([value])
          }
          onMeant={isPreviewed ? undefined : () => onEntry({ meant: [...meant, strange] })}
        />
      )}
    </>
  );
}

function YesNo({ entry, box: { readOnly, ...box }, onEntry, onLeave }: InputProps) {
  const name = useId();
  return (
    <div role="radiogroup" class="choice" {...box}>
      {[
        ['true', 'yes'],
        ['false', 'no'],
      ].map(([value = '', text]) => (
        <label key={value}>
          <input
            type="radio"
            name={name}
            checked={entry.text === value}
            disabled={readOnly}
            onChange={() => {
              onEntry({ text: value });
              onLeave();
            }}
          />
          {text}
        </label>
      ))}
    </div>
  );
}

/** A text, a number or a date. A text that is no date yet is kept as it was typed. An age that hardly anybody has is asked about. */
function Plain({ entry: { property, kind, text, meant }, before, isPreviewed, box, onEntry, onLeave }: InputProps) {
  const [first] = useState(text);
  const isDoubted = property === 'age' && Number(text) > OLD && text !== String(before) && !meant?.includes(text);
  const input = (
    <input
      {...box}
      {...(isDoubted && { 'data-doubt': 'unknown' })}
      {...(kind === 'date' ? { type: 'date', defaultValue: first } : { type: 'text', value: text })}
      dir={property === 'email' ? 'ltr' : 'auto'}
      autocomplete="off"
      inputMode={kind === 'number' ? 'decimal' : property === 'email' ? 'email' : 'text'}
      required={isRequired(property)}
      onInput={({ currentTarget }) => onEntry({ text: currentTarget.validity.badInput ? 'This' : currentTarget.value })}
      onBlur={onLeave}
    />
  );
  return (
    <>
      {input}
      {isDoubted && (
        <p class="doubt" role="status" id={`doubt-${box.id}`}>
          <b>Is somebody {short(text)} years old?</b>
          {!isPreviewed && <AsItIs onMeant={() => onEntry({ meant: [text] })} />}
        </p>
      )}
    </>
  );
}

/** The box of a value of any kind. It says below it what is wrong, and what nobody has. */
export function ValueInput(props: Props): ComponentChildren {
  const own = useId();
  const { entry, id = own, label, isReadOnly: readOnly = false, fault } = props;
  const isKnown = entry.kind === 'list' || (entry.kind === 'text' && hasFewValues(entry.property));
  const Input = isKnown ? Known : entry.kind === 'yes / no' ? YesNo : Plain;
  const box = {
    id,
    readOnly,
    'aria-label': label,
    'aria-invalid': fault !== undefined || undefined,
    'aria-describedby': `fault-${id} doubt-${id}`,
  };
  return (
    <>
      <Input {...props} box={box} />
      {fault !== undefined && (
        <p class="fault" id={`fault-${id}`} role="alert">
          {fault}
        </p>
      )}
    </>
  );
}
