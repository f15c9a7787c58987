import { settings } from '../session/session.ts';
import { readView, type View, writeView } from './view.ts';

/** How long it is said what was done, and can be taken back. */
const SHOWN_MS = 30_000;

/** After these milliseconds the feed has it, too. */
const TOLD_MS = 20_000;

/** Takes back what was done, and says so. */
export type Undo = () => Promise<void>;

/** The write of a user, or an edit. */
type Subject = { id: number; version: number } | { edit: string };

/** Something that this tab has done, until it is among what happened. */
export interface Doing {
  at: string;
  text: string;
  undo?: Undo | undefined;
  of: Subject;
}

interface Shared {
  /** The newest first. */
  doings: readonly Doing[];
  /** Why nothing can be read or written: no connection, or the sign-in has ended. */
  outage?: 'offline' | 'expired' | undefined;
  /** When the service has answered last, in Unix milliseconds. */
  answeredAt?: number;
  /** The property whose filter the list opens, once. */
  filtering?: string | undefined;
  /** Whether units and dollars are shown. */
  hasCosts: boolean;
  /** The last one of the service. */
  answer?: Response;
  /** Counts what was changed here: with another number what is shown is read again. */
  edits: number;
  /** The last action, in words, and how it is taken back. */
  toast: { text?: string | undefined; undo?: Undo | undefined };
}

/** The state that all parts of the page share, beside the view. */
export const shared: Shared = { hasCosts: settings.stage === 'dev', edits: 0, toast: {}, doings: [] };

/** The view in the address bar. */
export let view = readView(location.hash);

let draw = (): void => undefined;
let timer: ReturnType<typeof setTimeout> | undefined;

/** @param run shows all of this anew, at each change of it */
export function onChange(run: () => void): void {
  draw = run;
}

export function share(change: Partial<Shared>): void {
  Object.assign(shared, change);
  draw();
}

/** The address of the present view with something else. */
export const addressWith = (change: Partial<View>): string => writeView({ ...view, ...change });

function show(next: string): void {
  view = readView(next);
  draw();
}

/** Shows the present view with something else, after which one comes back to the present one, unless this replaces it. */
export function go(change: Partial<View>, how: 'pushState' | 'replaceState' = 'pushState'): void {
  const next = addressWith(change);
  if (next === location.hash) return;
  history[how](null, '', next);
  show(next);
}

export const closeCard = (): void => go({ user: '', at: '' });

/** Shows a sentence, or none. */
export function say(text?: string, undo?: Undo): void {
  clearTimeout(timer);
  timer = setTimeout(say, SHOWN_MS);
  share({ toast: { text, undo } });
}

/** Reads anew what is shown. */
export const readAnew = (): void => share({ edits: shared.edits + 1 });

/** Doings that are remembered: what happened has the others. */
const MOST_DOINGS = 20;

/** The user, or the edit, also of an undo. */
const keyOf = (of: Subject): string => ('edit' in of ? of.edit.replace(/(-undo)+$/, '') : `user ${of.id}`);

/** Says what was done, and reads anew what is shown. */
export function tell(text: string, of: Subject, undo?: Undo): void {
  const doing = { at: new Date().toISOString(), text, undo, of };
  // A change that was taken back cannot be taken back again.
  const others = shared.doings.filter((each) => keyOf(each.of) !== keyOf(of));
  share({ doings: [doing, ...others].slice(0, MOST_DOINGS) });
  say(text, undo);
  readAnew();
  setTimeout(readAnew, TOLD_MS);
}

/** Offers no more to take something back, and reads anew why. */
export function dropUndo(undo: Undo): void {
  share({ doings: shared.doings.map((each) => (each.undo === undo ? { ...each, undo: undefined } : each)) });
  readAnew();
}

/** Whether something was entered that is not saved. */
export const isDirty = (): boolean => document.querySelector('dialog[data-dirty]') !== null;

/** Asks whether what was entered may be lost, if something was. */
export const mayLeave = (): boolean => !isDirty() || confirm('Leave without saving?');

/** Shows the card of a new user, unless it is there: then its entries stay. */
export function goToNew(): void {
  if (view.user !== 'new' && mayLeave()) go({ user: 'new', at: '' });
}

// The page beside the card may change while something is entered.
addEventListener('popstate', () => {
  const { user, at } = readView(location.hash);
  if ((user === view.user && at === view.at) || mayLeave()) show(location.hash);
  else history.pushState(null, '', writeView(view));
});

// Reloading or closing the tab asks, too. Over a sign-in what was entered is kept.
addEventListener('beforeunload', (event) => isDirty() && shared.outage !== 'expired' && event.preventDefault());
