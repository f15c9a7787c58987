/** Ends a run, with a sentence for whoever started it. */
export class Stop extends Error {}

/** What an error says, with what caused it: `fetch failed` alone helps nobody. */
export function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const { message, cause } = error;
  return cause instanceof Error ? `${message}: ${cause.message || cause.name}` : message;
}
