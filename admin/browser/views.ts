/** Views that somebody has named: in this browser alone. */
import { settings } from './session.ts';
import { readView, type View, writeView } from './view.ts';

export interface Named {
  name: string;
  /** The part of the address behind `#`, without a page and a card. */
  address: string;
}

/** More do not fit beside each other, and each costs a unit. */
export const MOST_VIEWS = 12;

const KEY = `views of ${settings.api}`;

const isNamed = (each: unknown): each is Named =>
  typeof each === 'object' && each !== null && 'name' in each && 'address' in each;

/** A strange stored value, or a browser that keeps nothing, is no failure. */
export function readViews(): readonly Named[] {
  try {
    const known: unknown = JSON.parse(localStorage.getItem(KEY) ?? '[]');
    return Array.isArray(known) ? known.filter(isNamed).slice(0, MOST_VIEWS) : [];
  } catch {
    return [];
  }
}

export function storeViews(views: readonly Named[]): void {
  try {
    localStorage.setItem(KEY, JSON.stringify(views.slice(0, MOST_VIEWS)));
  } catch {
    // They are kept as long as the page is.
  }
}

/** The address of a view of the list, without what is of the moment. */
export const addressOf = (view: View): string => writeView({ ...view, page: '', user: '', at: '', show: 'users' });

export const filtersOf = ({ address }: Named): View['filters'] => readView(address).filters;
