/** Ends a run, with a sentence for whoever started it. */
export class Stop extends Error {}

/** What an error says, with what caused it: `fetch failed` alone helps nobody. */
export function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const { message, cause } = error;
  if (!(cause instanceof Error)) return message;
  const why = cause.message || cause.name;
  return message.includes(why) ? message : `${message}: ${why}`;
}
