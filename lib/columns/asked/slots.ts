/** The changed users who meet a question: each value that they have is tested once. */

import type { Overlay, View } from '../changed/overlay.ts';
import { type Ask, askedOf, kindOf, type Question } from '../values/definition.ts';
import { ticked, type Work } from '../work/chunks.ts';
import { wordsIn } from './words.ts';

/** A tick is due at each number of a changed user that has none of these bits: some texts are compared with a hundred. */
const FEW = 0x3ff;

/** Of slots, `out` has those that are left: from its beginning on. */
interface Left {
  slots: Uint32Array;
  readonly out: Uint32Array;
  readonly work: Work;
}

/** Leaves the slots that meet a test. */
function keep(left: Left, isMet: (slot: number) => boolean): void {
  const { slots, out, work } = left;
  let count = 0;
  for (let i = 0; i < slots.length; i++) {
    if ((i & FEW) === 0) work.tick();
    const slot = slots[i] ?? 0;
    if (isMet(slot)) out[count++] = slot;
  }
  left.slots = out.subarray(0, count);
}

/** Leaves those of whom one of some fields meets an ask. */
function keepAsked(left: Left, overlay: Overlay, fields: readonly string[], ask: Ask): void {
  const tests = fields.map((field) => ticked(overlay.filling(field), left.work).testing(ask));
  keep(left, (slot) => tests.some((isMet) => isMet(slot)));
}

/** How many values the changed users have of a column. */
function valuesOf(overlay: Overlay, field: string, work: Work): number {
  const isMember = kindOf(overlay.base.kinds, field) === 'mixed';
  if (isMember) return ticked(overlay.members(), work).get(field)?.length ?? 0;
  return ticked(overlay.filling(field), work).values.length;
}

/** Whether an id is one that a question asks for. undefined: all are. */
function idTest({ ids, notIds = [], from = 0, to = Number.POSITIVE_INFINITY }: Question) {
  const [asked, not] = [ids && new Set(ids), new Set(notIds)];
  if (!asked && not.size === 0 && from <= 0 && to === Number.POSITIVE_INFINITY) return undefined;
  return (id: number): boolean => id >= from && id < to && !not.has(id) && (asked === undefined || asked.has(id));
}

/** Writes the slots that match, and says how many. */
export function matchSlots({ overlay, slots }: View, question: Question, out: Uint32Array, work: Work): number {
  work.tick();
  const left: Left = { slots: overlay.lastOf(slots).there, out, work };
  const isAsked = idTest(question);
  if (isAsked) keep(left, (slot) => isAsked(overlay.ids[slot] ?? 0));
  const filters = (question.where ?? []).flatMap((condition) => {
    if ('words' in condition) return [];
    const asked = askedOf(condition);
    return [{ ...asked, size: Math.max(...asked.fields.map((field) => valuesOf(overlay, field, work))) }];
  });
  // Those of fields with few values go first, and leave fewer users for the others. A column of members may be forgotten when the next one is made.
  for (const { fields, ask } of filters.sort((a, b) => a.size - b.size)) keepAsked(left, overlay, fields, ask);
  for (const words of wordsIn(question)) keep(left, overlay.testing(words, work));
  out.set(left.slots);
  return left.slots.length;
}
