import type { Settings } from '../door.ts';
import type { Service } from './service.ts';

export type Json = Record<string, unknown>;

/** The parameters of a list, from the URL or the body of a search. */
export type Query = Partial<Record<(typeof PARAMETERS)[number], string>>;

export const PARAMETERS = [
  ...['filter', 'sortBy', 'sortOrder', 'startIndex', 'count', 'cursor', 'attributes', 'excludedAttributes'],
] as const satisfies string[];

/** A request, as far as its methods need it. */
export interface Asked {
  settings: Settings;
  service: Service;
  /** The URL of the door, with its path. */
  base: string;
  query: Query;
  id: string;
  ifMatch: string | null;
  ifNoneMatch: string | null;
  /** @throws {ScimError} if it is no object in JSON */
  body(): Promise<Json>;
}

export type Methods = Record<string, () => Response | Promise<Response>>;
