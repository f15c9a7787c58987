import { SIZES, type Sizes } from '../../lib/users/sizes.ts';

/** Sizes so small that few users reach every limit. Walks look cheap, which they never are for so few. */
export const TINY: Sizes = {
  ...SIZES,
  nodeBytes: 200,
  segmentUsers: 3,
  sumUsers: 12,
  countedValues: 3,
  nearUsers: 2,
  skipUsers: 1,
  partUnits: 0.05,
  neighbourUsers: 1,
  streamedRun: 4,
  risks: { walk: 0.001 },
};

/** Makes every other plan look too expensive. */
export const only = (...kinds: string[]): Sizes => ({
  ...TINY,
  budgetUnits: Number.POSITIVE_INFINITY,
  risks: Object.fromEntries(
    ['slice', 'walk', 'gather', 'groups'].map((kind) => [kind, kinds.includes(kind) ? 1e-6 : 1e6]),
  ),
});
