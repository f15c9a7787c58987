import type { ButtonHTMLAttributes, ComponentChildren } from 'preact';

interface Props extends ButtonHTMLAttributes {
  text: ComponentChildren;
  /** What it is called, if its text says too little. */
  name?: string | undefined;
}

/** A button that does something. */
export const Button = ({ text, name, class: kind = 'outline', ...others }: Props) => (
  <button type="button" class={kind} aria-label={name} {...others}>
    {text}
  </button>
);

/** What a button says, or its sign on a phone. The button needs a label. */
export const Short = ({ text, sign }: { text: string; sign: string }) => (
  <>
    <span class="wide">{text}</span>
    <span class="narrow">{sign}</span>
  </>
);

/** The colours of states that many services have. Others have none: the word says it. */
const VARIANTS = new Map<string, string>(
  Object.entries({
    success: ['active', 'enabled', 'verified', 'created'],
    warning: ['pending', 'invited', 'new', 'unverified', 'waiting'],
    danger: ['suspended', 'blocked', 'banned', 'disabled', 'locked', 'deleted'],
  }).flatMap(([variant, states]) => states.map((state): [string, string] => [state, variant])),
);

/** A state in colour and word. */
export const Status = ({ text }: { text: string }) => (
  <span class="badge" data-variant={VARIANTS.get(text.toLowerCase()) ?? 'secondary'} title={text}>
    {text}
  </span>
);
