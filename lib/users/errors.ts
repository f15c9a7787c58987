import { errorsOf, PROBLEMS as OF_ALL, type Problem, type ServiceError } from '../ground/index.ts';

/** The errors of the service's own, by their codes. Codes stay as they are. */
export const PROBLEMS = {
  'invalid-parameter': { status: 400, meaning: 'A parameter, the id in the path or an Idempotency-Key is not valid' },
  'unknown-sort': { status: 400, meaning: 'The list cannot be sorted by this property' },
  'impossible-id': { status: 400, meaning: 'No user can have this id yet' },
  'user-not-found': { status: 404, meaning: 'There is no user with this id' },
  'edit-not-found': { status: 404, meaning: 'There is no edit with this name, or it is no longer kept' },
  'changes-not-kept': { status: 404, meaning: 'The stage keeps no changes' },
  'patch-conflict': { status: 409, meaning: 'An operation of the JSON Patch does not apply to the user' },
  'email-taken': { status: 409, meaning: 'Another user has this e-mail address' },
  'external-id-taken': { status: 409, meaning: 'Another user has this external id' },
  'edit-too-large': { status: 409, meaning: 'More users match than the edit may change' },
  'edit-busy': { status: 409, meaning: 'Another call works on this edit: try again after the seconds in Retry-After' },
  'edit-undone': { status: 409, meaning: 'The edit was undone, so it cannot be continued' },
  'changes-gone': { status: 410, meaning: 'Changes after this place are no longer kept' },
  'past-gone': { status: 410, meaning: 'The changes of the user since this moment are not kept' },
  'user-exists': { status: 412, meaning: 'There is a user with this id' },
  'idempotency-key-reused': { status: 422, meaning: 'The Idempotency-Key was used for another body' },
  'edit-differs': { status: 422, meaning: 'The edit has another caller, other filters or another body' },
  'too-long': { status: 503, meaning: 'The question takes too long: ask for less' },
} as const satisfies Record<string, Problem>;

export type UserProblem = keyof typeof PROBLEMS;

/** An error of the service. */
export const userError = /* @__PURE__ */ errorsOf({ ...OF_ALL, ...PROBLEMS });

/** @param detail the message with advice, if there is any */
export const badParameter = (message: string, detail?: string): ServiceError =>
  userError('invalid-parameter', message, { detail });

export const userNotFound = (id: bigint | number): ServiceError =>
  userError('user-not-found', `User not found with id: ${id}`);
