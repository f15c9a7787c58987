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
