import { compareCodePoints } from '../text.ts';
import type { PageItem } from './pages.ts';

/**
 * The pages as one fold last saw them, to save reads. They may be out of date: a write of a page is refused if another writer
 * has changed it, and the page is then dropped from the cache.
 */
export interface PageCache {
  /** The cached page that covers a position, if any. */
  floor(pk: string, at: string): PageItem | undefined;
  keep(page: PageItem): void;
  forget(page: Pick<PageItem, 'pk' | 'sk'>): void;
}

/** About 30 MB. */
const MAX_PAGES = 20_000;

/** The place of the last bound that is not above a position, counted from 1; 0 for none. */
function floorOf(bounds: readonly string[], at: string): number {
  let [low, high] = [0, bounds.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (compareCodePoints(bounds[middle] ?? '', at) <= 0) low = middle + 1;
    else high = middle;
  }
  return low;
}

interface CachedMap {
  bounds: string[];
  pages: Map<string, PageItem>;
}

export function createPageCache(): PageCache {
  const maps = new Map<string, CachedMap>();
  let size = 0;

  const isIn = ({ end }: PageItem, at: string) => end === undefined || compareCodePoints(at, end) < 0;

  return {
    floor(pk, at) {
      const map = maps.get(pk);
      const page = map?.pages.get(map.bounds[floorOf(map.bounds, at) - 1] ?? '');
      return page && isIn(page, at) ? page : undefined;
    },
    keep(page) {
      if (size >= MAX_PAGES) {
        maps.clear();
        size = 0;
      }
      const map = maps.get(page.pk) ?? { bounds: [], pages: new Map() };
      maps.set(page.pk, map);
      if (!map.pages.has(page.sk)) {
        map.bounds.splice(floorOf(map.bounds, page.sk), 0, page.sk);
        size++;
      }
      map.pages.set(page.sk, page);
    },
    forget({ pk, sk }) {
      const map = maps.get(pk);
      if (!map?.pages.delete(sk)) return;
      map.bounds.splice(floorOf(map.bounds, sk) - 1, 1);
      size--;
    },
  };
}
