import { createContext } from 'preact';
import { useContext } from 'preact/hooks';
import type { PageSettings } from '../settings.ts';
import type { Connection } from './connection.ts';
import type { Session } from './session.ts';
import type { Go } from './useWindow.ts';
import type { View } from './view.ts';

/** Takes back what was done, and answers a sentence. */
export type Undo = () => Promise<string>;

/** What all parts of the page have. */
export interface Shared {
  settings: PageSettings;
  session: Session;
  connection: Connection;
  view: View;
  go: Go;
  /** Counts what was changed here: with another number what is shown is read again. */
  edits: number;
  /** Whether units and dollars are shown. */
  hasCosts: boolean;
  /** Says what was done. */
  tell(text: string, undo?: Undo): void;
}

/** What nobody provides is not there: App.tsx does. */
const Context = createContext({} as Shared);

export const SharedProvider = Context.Provider;

export const useShared = (): Shared => useContext(Context);
