import { ask, type Query } from './connection.ts';
import type { Filters } from './filters.ts';
import { Button, Popover } from './parts.tsx';
import { view } from './state.ts';
import { useSaving } from './useSaving.tsx';
import { columnsOf, listQuery } from './view.ts';

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

/** Saves the present list, whole: what is shown of it, or more. It goes on while its button is not shown. */
export function Export({ filters }: { filters: Filters }) {
  const { attempt, isSaving, progress } = useSaving();
  const save = ({ type, file }: typeof CSV, query: Query) =>
    attempt(async (onShare) => {
      const headers = { accept: `${type}, application/problem+json;q=0.9` };
      const response = await ask('GET', '/all', { query, headers });
      // A user has a line, and CSV one more at its begin.
      const total = Number(response.headers.get('x-total-count')) + 1;
      // The parts that have come so far.
      const parts: BlobPart[] = [type === CSV.type ? MARK : ''];
      let lines = 0;
      const write = (bytes: Uint8Array<ArrayBuffer>) => {
        parts.push(bytes);
        lines += bytes.filter((byte) => byte === LINE_END).length;
        onShare(lines / total);
      };
      await response.body?.pipeTo(new WritableStream({ write }));
      download(new Blob(parts, { type }), file);
    });
  const shown = listQuery({ ...view, filters });
  const choices: [text: string, kind: typeof CSV, query: Query][] = [
    ['All their fields, for a spreadsheet (CSV)', CSV, shown],
    ['All their fields, for programs (NDJSON)', NDJSON, shown],
    ['All users with all fields (CSV)', CSV, {}],
  ];
  return (
    <>
      {progress}
      <span class="hstack gap-1">
        <Button
          text="Export"
          disabled={isSaving}
          onClick={() => save(CSV, { ...shown, fields: columnsOf(view).join(',') })}
        />
        <Popover text="▾" name="Other exports" class="outline wide">
          {() =>
            choices.map(([text, kind, query]) => (
              <Button key={text} text={text} class="ghost" onClick={() => save(kind, query)} />
            ))
          }
        </Popover>
      </span>
    </>
  );
}
