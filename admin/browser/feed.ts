import { type Change, type ChangePage, type Page, type Query, RequestFailure, read } from './connection.ts';
import { groupsOf } from './groups.ts';

/** Changes of the first request. */
const FIRST = 30;

/** The most changes of a request: on the way back to a day, or over a change of many. */
const STRIDE = 1_000;

/** Users of a name whose changes are read. */
const MOST_USERS = 100;

const isDay = (day: string): boolean => new Date(day).toJSON()?.startsWith(`${day}T`) === true;

/** The beginning or the end of a day in the reader's zone, as the API takes it. @throws {RequestFailure} when it is none, in the words of the API */
function momentOf(name: string, day: string, hour: string): string {
  if (day === '') return '';
  // February 31 is read as March 3.
  if (!isDay(day)) throw new RequestFailure(400, `${name} must be a date: ${day}`);
  return new Date(`${day}T${hour}`).toISOString();
}

/** The ids of whom the changes are of: of an id itself, of a name those whom the search finds. */
async function idsOf(about: string, signal: AbortSignal): Promise<readonly string[]> {
  if (about === '' || /^\d+$/.test(about)) return [about];
  const { content } = await read<Page>('', { q: about, size: MOST_USERS, fields: 'id' }, signal);
  return content.map(({ id }) => String(id));
}

interface Asked {
  /** Lines that a call shall bring. */
  lines: number;
  /** Changes that it looks at for them. More are read when somebody asks. */
  most: number;
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

/** Reads the changes of all users, from now back, some lines more at each call. */
export function createFeed({ lines, most, type = '', by = '', about = '', from = '', to = '' }: Asked) {
  let changes: readonly Change[] = [];
  let before: string | undefined = 'now';
  let id: readonly string[] | undefined;

  /** Until something of the last day was found, it is passed by in strides. */
  const isBefore = (): boolean => to !== '' && changes.length === 0;

  async function readPage(size: number, signal: AbortSignal): Promise<void> {
    const [start, end] = [momentOf('from', from, '00:00'), momentOf('to', to, '24:00')];
    const query: Query = { type, by, id: id ?? [], before: before ?? '', size: isBefore() ? STRIDE : size };
    const page: ChangePage = await read<ChangePage>('/changes', query, signal);
    signal.throwIfAborted();
    changes = [...changes, ...page.changes.filter(({ at }) => at >= start && (end === '' || at < end))];
    before = page.changes.some(({ at }) => at < start) ? undefined : page.next;
  }

  return async function readBack(signal: AbortSignal): Promise<Feed> {
    id ??= await idsOf(about, signal);
    if (id.length === 0) before = undefined;
    const wanted = groupsOf(changes).length + lines;
    let looked = 0;
    while (before !== undefined && looked < most && groupsOf(changes).length < wanted) {
      // Where few lines came of many changes, a change of many is passed by.
      const size = Math.min(Math.max(FIRST, 3 * looked), STRIDE);
      if (!isBefore()) looked += size;
      await readPage(size, signal);
    }
    return { changes, before };
  };
}
