import { useRef, useState } from 'preact/hooks';
import type { Connection } from './connection.ts';
import { type RequestFailure, toFailure } from './failure.ts';
import { numberOf } from './time.ts';
import { listQuery, type View } from './view.ts';

const LINE_END = 10;

function download(parts: Uint8Array<ArrayBuffer>[]): void {
  const url = URL.createObjectURL(new Blob(parts, { type: 'text/csv' }));
  const link = document.createElement('a');
  link.href = url;
  link.download = 'users.csv';
  link.click();
  // The browser reads it after this call.
  setTimeout(() => URL.revokeObjectURL(url), 60_000);
}

interface Props {
  connection: Connection;
  view: View;
  total: number;
  onFailure(failure: RequestFailure): void;
}

/** Saves the present list, whole, as CSV. */
export function ExportButton({ connection, view, total, onFailure }: Props) {
  const [lines, setLines] = useState<number>();
  const ended = useRef<AbortController | undefined>(undefined);

  async function save(): Promise<void> {
    ended.current = new AbortController();
    const { signal } = ended.current;
    setLines(0);
    try {
      const { body } = await connection.csv(listQuery(view), signal);
      const parts: Uint8Array<ArrayBuffer>[] = [];
      let seen = 0;
      const reader = body?.getReader();
      // Safari cannot iterate over a stream.
      for (let next = await reader?.read(); next?.value; next = await reader?.read()) {
        parts.push(next.value);
        for (const byte of next.value) if (byte === LINE_END) seen++;
        setLines(seen);
      }
      download(parts);
    } catch (error) {
      if (!signal.aborted) onFailure(toFailure(error));
    } finally {
      setLines(undefined);
    }
  }

  if (lines === undefined) {
    return (
      <button type="button" disabled={total === 0} onClick={save}>
        Export CSV
      </button>
    );
  }
  return (
    <span class="row">
      <progress max={total} value={lines} aria-label="Export" /> {numberOf(Math.min(lines, total))}
      <button type="button" onClick={() => ended.current?.abort()}>
        Cancel
      </button>
    </span>
  );
}
