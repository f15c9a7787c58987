import { hash48 } from '../hash.ts';
import type { User } from '../user.ts';

/** A count of users, and a sum of hashes by which a list can be held against it. */
export const COUNT = 'n';
export const CHECKSUM = 'h';

/** Stands for one version of one user in checksums. */
export const memberHash = ({ id, version }: User): number => hash48(`${id}:${version}`);
