/** The list beside a card, and the way from one of its users to the next. */
import type { Page, User } from '../data/connection.ts';
import { go, isDirty, mayLeave, share, view } from '../data/state.ts';

let shown: Page | undefined;

/**
 * The page that is turned to from the card of a user, whose first (0) or last (-1) user is shown then, and whether what was entered in that
 * card may be left.
 */
let wanted: { number: number; at: 0 | -1; from: string; isLeft: boolean } | undefined;

/** Tells which users the list shows. Undefined: there is no list, or it is on its way. */
export function listed(page: Page | undefined): void {
  if (page === shown) return;
  shown = page;
  if (view.user !== '') share({});
  if (!page || !wanted) return;
  const { number, at, from, isLeft } = wanted;
  const isHere = view.user === from && Number(view.page) === number;
  // The page before, as long as the other one cannot be read.
  if (isHere && page.number !== number) return;
  wanted = undefined;
  const user = page.content.at(at);
  // Somebody may have gone elsewhere, or begun to write, meanwhile.
  if (user && isHere && (isLeft || !isDirty())) go({ user: String(user.id), at: '' }, 'replaceState');
}

/** A user as the list shows them: a card that is read has their name until it is there. */
export const listedUser = (id: string): User | undefined => shown?.content.find((user) => String(user.id) === id);

/** The place of a user in the list. Undefined: they are not on its page. */
export function placeOf(id: string): { place: number; total: number } | undefined {
  const at = shown?.content.findIndex((user) => String(user.id) === id) ?? -1;
  return shown && at >= 0 ? { place: shown.number * shown.size + at + 1, total: shown.totalElements } : undefined;
}

/** Shows the next user of the list, or the one before, also on another page. Asks first if something is not saved. */
export function showNeighbour(by: 1 | -1): void {
  if (!shown) return;
  const at = shown.content.findIndex((user) => String(user.id) === view.user);
  const next = at < 0 ? undefined : shown.content[at + by];
  const page = shown.number + by;
  if (next && mayLeave()) go({ user: String(next.id), at: '' }, 'replaceState');
  else if (at >= 0 && !next && page >= 0 && page < shown.totalPages && mayLeave()) {
    wanted = { number: page, at: by > 0 ? 0 : -1, from: view.user, isLeft: isDirty() };
    go({ page: String(page) });
  }
}
