import { ask, type Change, type ChangePage, type Page, RequestFailure, read } from '../data/connection.ts';
import { groupsOf } from './groups.ts';

/** Changes of the first request: some 10 KB. */
const FIRST = 30;

/** The most changes of a request that somebody has asked for, each four times as long as the last one. */
const STRIDE = 1_000;

/** Changes that are looked at for those that are asked for. More are read at a click. */
const MOST = 2_500;

/** Later changes that are counted. */
const NEWER = 100;

/** Users of a name whose changes are read. */
const MOST_USERS = 100;

/** The beginning or the end of a day in the reader's zone, as the API takes it. @throws {RequestFailure} when it is none, in the words of the API */
function momentOf(name: string, day: string, hour: string): string {
  const at = Date.parse(`${day}T${hour}`);
  if (Number.isNaN(at)) throw new RequestFailure(400, `${name} must be a date: ${day}`);
  return new Date(at).toISOString();
}

/** The ids of whom the changes are of: of an id itself, of a name those whom the search finds. */
async function idsOf(about: string, signal: AbortSignal): Promise<readonly string[]> {
  if (about === '' || /^\d+$/.test(about)) return [about];
  const { content } = await read<Page>('', { q: about, size: MOST_USERS, fields: 'id' }, signal);
  return content.map(({ id }) => String(id));
}

interface Asked {
  type?: string;
  by?: string;
  about?: string;
  /** The first and the last day, in the reader's zone. Empty: any. */
  from?: string;
  to?: string;
}

/** The changes that were read, the newest first, and the way further back. Undefined: that was all that is asked for. */
export interface Feed {
  changes: readonly Change[];
  before: string | undefined;
}

/** The changes of all users, the newest first. */
export function createFeed({ type = '', by = '', about = '', from = '', to = '' }: Asked = {}) {
  let changes: readonly Change[] = [];
  let before: string | undefined = 'now';
  let id: readonly string[] | undefined;
  let size = FIRST;
  // The end of the feed, the place up to which it was read from there on, and what that brought.
  let end: string | undefined;
  let since = '';
  let newer: readonly Change[] = [];
  let isMany = false;

  const readPage = async (place: object, signal: AbortSignal, isQuiet = false): Promise<ChangePage> =>
    (await ask('GET', '/changes', { query: { type, by, id: id ?? [], ...place }, signal, isQuiet })).json();

  function limits() {
    const start = momentOf('from', from || '1970-01-01', '00:00');
    const stop = momentOf('to', to || '9999-01-01', '24:00');
    return { start, isWithin: ({ at }: Change): boolean => at >= start && at < stop };
  }

  /** Some changes more, from now back: a request, unless it has none of those that are asked for. */
  async function readBack(signal: AbortSignal): Promise<Feed> {
    const { start, isWithin } = limits();
    id ??= await idsOf(about, signal);
    if (id.length === 0) before = undefined;
    const known = changes.length;
    let looked = 0;
    while (before !== undefined && looked < MOST && changes.length === known) {
      // Days that are later than the last one are passed by.
      if (to === '' || known > 0) looked += size;
      const page = await readPage({ before, size }, signal);
      signal.throwIfAborted();
      size = Math.min(4 * size, STRIDE);
      changes = [...changes, ...page.changes.filter(isWithin)];
      before = page.changes.some(({ at }) => at < start) ? undefined : page.next;
    }
    return { changes, before };
  }

  /** How many lines were added since it was called first. A unit, and undefined, as long as nothing happens. 0: some, or many. */
  async function readNewer(signal: AbortSignal): Promise<number | undefined> {
    const { next: now = '' } = await readPage({ after: 'now', size: 1 }, signal, true);
    end ??= since = now;
    if (now !== end && id?.length !== 0) {
      const from = since;
      const page = await readPage({ after: from, size: NEWER }, signal, true);
      signal.throwIfAborted();
      // Else another look, of the same moment, has brought them.
      if (since === from) {
        isMany ||= page.changes.length === NEWER;
        [end, since] = [now, page.next ?? since];
        newer = [...page.changes.filter(limits().isWithin).toReversed(), ...newer];
      }
    }
    if (newer.length === 0) return undefined;
    if (isMany) return 0;
    return groupsOf([...newer, ...changes]).length - groupsOf(changes).length;
  }

  return { readBack, readNewer };
}
