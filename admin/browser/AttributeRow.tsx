import { Button } from './Button.tsx';
import { KINDS, kindOf, textOf, type Value } from './edit.ts';

interface Props {
  name?: string;
  /** What its value can be. */
  kinds?: readonly string[];
  value?: Value | undefined;
  isReadOnly?: boolean;
  /** Absent if it cannot be taken away. */
  remove?: () => void;
}

/** The name, the kind and the value of an attribute. */
export const AttributeRow = ({ name = '', kinds = KINDS, value, isReadOnly, remove }: Props) => (
  <div class="attribute">
    <input name="attribute" aria-label="Name of the attribute" defaultValue={name} readOnly={isReadOnly} />
    <select name="kind" aria-label="Kind" disabled={isReadOnly}>
      {kinds.map((kind) => (
        <option key={kind} selected={kind === kindOf(value)}>
          {kind}
        </option>
      ))}
    </select>
    <input name="value" aria-label="Value" dir="auto" defaultValue={textOf(value)} readOnly={isReadOnly} />
    {remove && !isReadOnly && <Button text="×" name={`Remove ${name}`} class="ghost" onClick={remove} />}
  </div>
);
