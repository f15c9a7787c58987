import { numberOf } from './time.ts';
import type { Export } from './useExport.ts';
import type { View } from './view.ts';

interface Props {
  running: Export;
  view: View;
  total: number;
}

/** Exports the present list. */
export function ExportButton({ running: { progress, start, cancel }, view, total }: Props) {
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
