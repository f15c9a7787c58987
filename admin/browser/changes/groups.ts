import type { Change } from '../data/connection.ts';

/** Changes that are told as one: those of an edit, or users whom one person has created within some minutes. */
export interface Group {
  key: string;
  /** The newest first: as many as were read. */
  changes: readonly [Change, ...Change[]];
  edit?: string | undefined;
}

/** One import is many creations. */
const TOGETHER_MS = 600_000;

const UNDO = '-undo';

/** The name of the undo of an edit, and of the edit that an undo takes back. */
export const undoOf = (edit: string): string => edit + UNDO;
export const undoneBy = (edit: string | undefined): string | undefined =>
  edit?.endsWith(UNDO) ? edit.slice(0, -UNDO.length) : undefined;

type Changes = [Change, ...Change[]];

/** The group with which a change is told. Undefined: it is told alone. */
const sharedBy = ({ type, edit, by = '', user }: Change): string | undefined =>
  edit ?? (type === 'created' && user ? `created ${by}` : undefined);

/** Whether an earlier creation is told with later ones of the same person. */
export const isNear = ([newest]: Group['changes'], { at }: Change): boolean =>
  Date.parse(newest.at) - Date.parse(at) <= TOGETHER_MS;

/** @param changes the newest first @returns the newest first, by their newest change */
export function groupsOf(changes: readonly Change[]): Group[] {
  const groups: Group[] = [];
  const open = new Map<string, Changes>();
  for (const change of changes) {
    const { id, version, edit } = change;
    const shared = sharedBy(change);
    const known = shared === undefined ? undefined : open.get(shared);
    if (known && (edit !== undefined || isNear(known, change))) {
      known.push(change);
      continue;
    }
    const own: Changes = [change];
    if (shared !== undefined) open.set(shared, own);
    groups.push({ key: edit ?? `${id} ${version}`, changes: own, edit });
  }
  return groups;
}
