import { LIMITS as OF_REPLICA, type Limits as ReplicaLimits, type Storage } from '../replica/index.ts';

/** The limits of the service, with those of the replica. Tests lower them, so that small data reaches them. */
export interface Limits extends ReplicaLimits {
  /** The users of a step of an edit. A process that ends leaves that many to be looked at again. */
  editStep: number;
  /** Milliseconds for which a call of an edit begins to work on users. */
  editMs: number;
  /** The most names of attributes: lists have a column for each. */
  attributeNames: number;
}

export const LIMITS: Limits = { ...OF_REPLICA, editStep: 100, editMs: 20_000, attributeNames: 500 };

export type TableNames = Storage['tables'];

/** The tables, clock and settings that a function needs to read or write users. */
export interface Database extends Storage {
  limits: Limits;
  /** Whether no two users may have the same e-mail address. */
  uniqueEmails?: boolean;
  /** For how many days changes are kept. 0 unless it is given: not at all. */
  historyDays?: number;
}
