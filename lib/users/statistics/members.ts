import { hash48 } from '../hash.ts';
import type { User } from '../user.ts';

/** The buckets of a number of users, and of a sum of their hashes with which a list can be compared. */
export const COUNT = 'n';
export const CHECKSUM = 'h';

/** A segment has these even if it has no users: its bound must stay. */
export const OF_EVERY_SEGMENT = [COUNT, CHECKSUM];

/** Stands for one version of one user in checksums. */
export const memberHash = ({ id, version }: User): number => hash48(`${id}:${version}`);
