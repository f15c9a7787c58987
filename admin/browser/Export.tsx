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

export interface Export {
  /** How many lines have come, and how many are expected. Undefined if nothing is exported. */
  progress: { lines: number; total: number } | undefined;
  start(view: View, total: number): void;
  cancel(): void;
}

/** Saves a list, whole, as CSV. It goes on while its button is not shown. */
export function useExport(connection: Connection, onFailure: (failure: RequestFailure) => void): Export {
  const [progress, setProgress] = useState<Export['progress']>();
  const ended = useRef<AbortController | undefined>(undefined);

  async function save(view: View, total: number): Promise<void> {
    ended.current = new AbortController();
    const { signal } = ended.current;
    setProgress({ lines: 0, total });
    try {
      const { body } = await connection.csv(listQuery(view), signal);
      const parts: Uint8Array<ArrayBuffer>[] = [];
      let lines = 0;
      const reader = body?.getReader();
      // Safari cannot iterate over a stream.
      for (let next = await reader?.read(); next?.value; next = await reader?.read()) {
        parts.push(next.value);
        for (const byte of next.value) if (byte === LINE_END) lines++;
        setProgress({ lines, total });
      }
      download(parts);
    } catch (error) {
      if (!signal.aborted) onFailure(toFailure(error));
    } finally {
      setProgress(undefined);
    }
  }

  return { progress, start: save, cancel: () => ended.current?.abort() };
}

/** Exports the present list. */
export function ExportButton({ running, view, total }: { running: Export; view: View; total: number }) {
  const { progress, start, cancel } = running;
  if (!progress) {
    return (
      <button type="button" class="outline" disabled={total === 0} onClick={() => start(view, total)}>
        Export CSV
      </button>
    );
  }
  return (
    <span class="hstack gap-2">
      <progress max={progress.total} value={progress.lines} aria-label="Export" />{' '}
      {numberOf(Math.min(progress.lines, progress.total))}
      <button type="button" class="outline" onClick={cancel}>
        Cancel
      </button>
    </span>
  );
}
