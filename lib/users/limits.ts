/** The limits of the service, with those of the replica. Tests lower them, so that small data reaches them. */
import { LIMITS as OF_REPLICA, type Limits as ReplicaLimits } from '../replica/index.ts';

export interface Limits extends ReplicaLimits {
  /** The users of a step of an edit: a process that ends leaves so many to be looked at again. */
  editStep: number;
  /** For so many milliseconds a call of an edit begins to work on users. */
  editMs: number;
  /** The most names of attributes: lists have a column for each. */
  attributeNames: number;
}

export const LIMITS: Limits = { ...OF_REPLICA, editStep: 100, editMs: 20_000, attributeNames: 500 };
