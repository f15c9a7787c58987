import type { Row } from '../tree/rows.ts';

/** The bucket that says how many users a row stands for. */
export const USERS = 'n';

/** How many users a row stands for. */
export const usersIn = (row: Row | undefined): number => row?.counts.get(USERS) ?? 0;
