import { Button } from './Button.tsx';
import type { Query } from './connection.ts';
import type { Filters } from './filters.ts';
import { Popover } from './Popover.tsx';
import { useShared } from './shared.ts';
import { FailureLine } from './Trouble.tsx';
import { useSaving } from './useSaving.ts';
import { columnsOf, listQuery } from './view.ts';

const CSV = { type: 'text/csv', file: 'users.csv' };
const NDJSON = { type: 'application/x-ndjson', file: 'users.ndjson' };

/** Excel takes a file without this mark for one that is not UTF-8. */
const MARK = '\uFEFF';

function download(content: Blob, name: string): void {
  const url = URL.createObjectURL(content);
  Object.assign(document.createElement('a'), { href: url, download: name }).click();
  // The browser reads it after this call.
  setTimeout(() => URL.revokeObjectURL(url), 60_000);
}

/** Saves the present list, whole: what is shown of it, or more. It goes on while its button is not shown. */
export function Export({ filters }: { filters: Filters }) {
  const { connection, view } = useShared();
  const { attempt, isSaving, failure } = useSaving(() => undefined);
  const save = ({ type, file }: typeof CSV, query: Query) =>
    attempt(async () => {
      const headers = { accept: `${type}, application/problem+json;q=0.9` };
      const response = await connection.ask('GET', '/all', { query, headers });
      download(new Blob([type === CSV.type ? MARK : '', await response.blob()], { type }), file);
      return true;
    });
  const shown = listQuery({ ...view, filters });
  const choices: [text: string, kind: typeof CSV, query: Query][] = [
    ['All their fields, for a spreadsheet (CSV)', CSV, shown],
    ['All their fields, for programs (NDJSON)', NDJSON, shown],
    ['All users with all fields (CSV)', CSV, {}],
  ];
  return (
    <>
      <FailureLine failure={failure} />
      {isSaving && <progress aria-label="Export" />}
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
