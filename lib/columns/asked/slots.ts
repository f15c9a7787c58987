/** The changed users who meet a question: each value that they have is tested once. */

import type { View } from '../changed/overlay.ts';
import { kindOf, type Question } from '../values/definition.ts';
import { ticked, type Work } from '../work/chunks.ts';
import { wordsIn } from './words.ts';

/** Writes the slots that match, and says how many. */
export function matchSlots({ overlay, slots }: View, question: Question, out: Uint32Array, work: Work): number {
  const { base } = overlay;
  const { where = [], ids, notIds = [], from = 0, to = Number.POSITIVE_INFINITY } = question;
  const [asked, not] = [ids && new Set(ids), new Set(notIds)];
  work.tick();
  let kept = overlay.lastOf(slots).there;
  if (asked || not.size > 0 || from > 0 || to < Number.POSITIVE_INFINITY) {
    kept = kept.filter((slot) => {
      const id = overlay.ids[slot] ?? 0;
      return id >= from && id < to && !not.has(id) && (asked === undefined || asked.has(id));
    });
  }
  const filters = where.flatMap((each) => {
    if (!('ask' in each)) return [];
    const { field, ask } = each;
    const isMember = kindOf(base.kinds, field) === 'mixed';
    const size = isMember
      ? ticked(overlay.members(), work).get(field)?.length
      : ticked(overlay.filling(field), work).values.length;
    return [{ field, ask, size: size ?? 0 }];
  });
  // Each value is tested once: those of fields with few go first, and leave fewer users for the others. A column of members may be
  // forgotten when the next one is made.
  for (const { field, ask } of filters.sort((a, b) => a.size - b.size)) {
    kept = out.subarray(0, ticked(overlay.filling(field), work).keep(kept, ask, out, work));
  }
  for (const words of wordsIn(question)) {
    kept = out.subarray(0, overlay.keepWords(kept, words, out, work));
  }
  out.set(kept);
  return kept.length;
}
