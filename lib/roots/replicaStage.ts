/**
 * The parts of a stage whose lists come from the replica. Where the setting `lists` of a stage is `opensearch`, tools/deploy/bundle.ts puts
 * searchStage.ts in the place of this file: so no bundle has both.
 */
import { createFold } from '../replica/index.ts';
import { createUserListing } from '../users/lists.ts';

export const createListing = createUserListing;
export const createStageFold = createFold;
