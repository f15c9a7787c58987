/** A change as the feed shows it (docs/changes.md). */
export interface Change {
  id: number;
  version: number;
  type: string;
  at: string;
  [member: string]: unknown;
}

export interface Page {
  changes: Change[];
  /** The place after the page. At the end of the feed it is the place that was asked for. */
  next: string;
}

/** Milliseconds, below the thirty seconds for which API Gateway waits. */
const TIMEOUT_MS = 28_000;

export type Feed = ReturnType<typeof createFeed>;

/**
 * The feed of changes of a service.
 *
 * @returns a function that reads a page. Undefined: the changes after the place are no longer kept
 * @throws {Error} for all else that is no page
 */
export const createFeed =
  (url: string, token: string | undefined) =>
  async (query: Record<string, string>): Promise<Page | undefined> => {
    const headers = { ...(token !== undefined && { authorization: `Bearer ${token}` }) };
    const init = { headers, redirect: 'manual', signal: AbortSignal.timeout(TIMEOUT_MS) } as const;
    const response = await fetch(`${url}/api/users/changes?${new URLSearchParams(query)}`, init);
    const page: Partial<Page> & { message?: string } = Object(await response.json().catch(() => undefined));
    if (response.status === 410) return undefined;
    const { changes, next, message = 'not a page' } = page;
    if (response.ok && Array.isArray(changes) && typeof next === 'string') return { changes, next };
    throw new Error(`${url}/api/users/changes responded with ${response.status}: ${message}`);
  };
