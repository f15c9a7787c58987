import { hash48 } from '../hash.ts';
import type { User } from '../user.ts';

/** The buckets of a number of users, and of a sum of their hashes with which a list can be compared. */
export const COUNT = 'n';
export const CHECKSUM = 'h';

/** Stands for one version of one user in checksums. */
export const memberHash = ({ id, version }: User): number => hash48(`${id}:${version}`);
