import { PROBLEMS as OF_ALL, type Problem } from '../ground/index.ts';
import { PROBLEMS as OF_REST } from '../rest/index.ts';
import { PROBLEMS as OF_USERS } from '../users/errors.ts';

const ALL = { ...OF_ALL, ...OF_REST, ...OF_USERS };

export type ProblemCode = keyof typeof ALL;

/**
 * Every error that a response can tell, by its code, in the order of its status: `urn:problem:<code>` is the `type` of a problem, and the
 * log line has the code. The OpenAPI document prints this table.
 */
export const PROBLEMS = Object.fromEntries(
  Object.entries<Problem>(ALL).sort(([, a], [, b]) => a.status - b.status),
) as Readonly<Record<ProblemCode, Problem>>;
