import { useCallback, useEffect } from 'preact/hooks';
import type { Connection, Page } from './connection.ts';
import { type Reading, useReading } from './useReading.ts';
import { listQuery, type View } from './view.ts';

/** Reads the list of a view, and again when the network is back. */
export function useList(connection: Connection, view: View): Reading<Page> {
  const asked = JSON.stringify({ page: view.page, size: view.size, ...listQuery(view) });
  const read = useCallback((signal: AbortSignal) => connection.list(JSON.parse(asked), signal), [connection, asked]);
  const list = useReading(read);
  const { reload } = list;

  useEffect(() => {
    addEventListener('online', reload);
    return () => removeEventListener('online', reload);
  }, [reload]);

  return list;
}
