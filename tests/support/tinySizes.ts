import { SIZES, type Sizes } from '../../lib/users/sizes.ts';

/** So small that every border is met, and walks that no data would make worth while. */
export const TINY: Sizes = {
  ...SIZES,
  pageBytes: 200,
  segmentUsers: 3,
  segmentsPerSum: 3,
  fewSegments: 3,
  nearUsers: 2,
  neighbourUsers: 1,
  streamedRun: 4,
  walkPromise: 0.001,
};
