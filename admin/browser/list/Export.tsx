import { useRef, useState } from 'preact/hooks';
import { ask, isOffline, type Query } from '../data/connection.ts';
import type { Filters } from '../data/filters.ts';
import { say, view } from '../data/state.ts';
import { counted, numberOf, sizeOf } from '../data/time.ts';
import { columnsOf, listQuery } from '../data/view.ts';
import { Button } from '../parts/parts.tsx';
import { useSaving } from '../parts/useSaving.tsx';

const CSV = { type: 'text/csv', file: 'users.csv' };
const NDJSON = { type: 'application/x-ndjson', file: 'users.ndjson' };

/** Excel takes a file without this mark for one that is not UTF-8. */
const MARK = '\uFEFF';

const LINE_END = 0x0a;

function download(content: Blob, name: string): void {
  const url = URL.createObjectURL(content);
  Object.assign(document.createElement('a'), { href: url, download: name }).click();
  // The browser reads it after this call.
  setTimeout(() => URL.revokeObjectURL(url), 60_000);
}

/** Reads a list into a file, which can be ended meanwhile. Its lines tell how far it is. */
async function fetchFile(
  kind: typeof CSV,
  query: Query,
  signal: AbortSignal,
  onUsers: (users: number, of: number) => void,
) {
  const headers = { accept: `${kind.type}, application/problem+json;q=0.9` };
  const response = await ask('GET', '/all', { query, headers, signal });
  const total = Number(response.headers.get('x-total-count'));
  // A user has a line, and CSV one more at its begin.
  const isCsv = kind.type === CSV.type;
  // The parts that have come so far.
  const parts: BlobPart[] = [isCsv ? MARK : ''];
  let lines = isCsv ? -1 : 0;
  const write = (bytes: Uint8Array<ArrayBuffer>) => {
    parts.push(bytes);
    lines += bytes.filter((byte) => byte === LINE_END).length;
    onUsers(Math.max(0, lines), total);
  };
  await response.body?.pipeTo(new WritableStream({ write }), { signal });
  return { blob: new Blob(parts, { type: kind.type }), total };
}

/** The files that the list with some filters can be saved as, what is shown of it first, and how far that is. */
export function useExport(filters: Filters) {
  const { attempt, isSaving, failure } = useSaving();
  const [[users, of], setUsers] = useState<[number, number]>([0, 0]);
  const ending = useRef<AbortController | undefined>(undefined);
  const save = (kind: typeof CSV, query: Query) =>
    attempt(async () => {
      setUsers([0, 0]);
      ending.current = new AbortController();
      const { signal } = ending.current;
      try {
        const { blob, total } = await fetchFile(kind, query, signal, (...now) => setUsers(now));
        download(blob, kind.file);
        say(`${kind.file} saved: ${counted(total, 'user')}, ${sizeOf(blob.size)}`);
      } catch (error) {
        // Nobody has to be told that it was ended.
        if (!signal.aborted) throw error;
      }
    });
  const shown = listQuery({ ...view, filters });
  const files: [text: string, kind: typeof CSV, query: Query][] = [
    ['Export', CSV, { ...shown, fields: columnsOf(view).join(',') }],
    ['All their fields, for a spreadsheet (CSV)', CSV, shown],
    ['All their fields, for programs (NDJSON)', NDJSON, shown],
  ];
  const progress = () => (
    <span class="hstack gap-2">
      <progress aria-label="Export" {...(of > 0 && { value: users, max: of })} />
      <span>
        {numberOf(users)} of {numberOf(of)}
      </span>
      <Button text="Cancel" name="Cancel the export" onClick={() => ending.current?.abort()} />
    </span>
  );
  return {
    /** A button for each of them. @param before is called before it begins */
    buttons: (kind: string, before?: () => void) =>
      files.map(([text, ...file]) => (
        <Button
          key={text}
          text={text}
          class={kind}
          disabled={isOffline() || isSaving}
          onClick={() => {
            before?.();
            save(...file);
          }}
        />
      )),
    progress: isSaving ? progress() : failure && <span role="alert">Not saved: {failure.message}</span>,
    isSaving,
  };
}
