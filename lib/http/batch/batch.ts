/** Several operations in one request: each is a request of its own, with a result of its own. */
import { createHash } from 'node:crypto';
import type { BatchResult } from '../../../schemas/batch.ts';
import { MAX_BATCH_BYTES, MAX_OPERATIONS } from '../../../schemas/limits.ts';
import { inParallel, PROBLEMS, type Runtime, timeLeft, withDeadline } from '../../ground/index.ts';
import { type BodyRules, failureOf, MEDIA, shown } from '../../rest/index.ts';
import { userError } from '../../users/errors.ts';
import { hashOf } from '../../users/idempotency.ts';
import { noteOperations, TRANSACTIONS_AT_ONCE } from '../../users/store.ts';
import { within } from '../request/validation.ts';
import { chainsOf } from './chains.ts';
import { type Context, perform } from './operation.ts';

/** Enough to say what was done. Calls to DynamoDB end before. */
const ANSWER_MS = 1_000;

/** No operation begins in less time before that: it could be cut off, and nobody would know whether it wrote. */
const LEAST_MS = 2_000;

const NOT_BEGUN: BatchResult = {
  ...{ status: PROBLEMS.unavailable.status, code: 'unavailable' },
  message: 'The time of the batch was over before this operation began: send it again',
};

/** @throws {ServiceError} 400 when it is no batch */
function readOperations(body: unknown): readonly unknown[] {
  const { operations } = Object(body) as { operations?: unknown };
  if (Array.isArray(operations) && operations.length <= MAX_OPERATIONS) return operations;
  const message = `Request body must be an object with operations, an array of at most ${MAX_OPERATIONS}`;
  throw userError('validation', message);
}

export const batchBody: BodyRules<readonly unknown[]> = {
  readers: { [MEDIA.json]: readOperations },
  look: readOperations,
  ignoring: {
    namesIn: (body) => Object.keys(Object(body)).filter((name) => name !== 'operations'),
    failureOf: (name) => ({ detail: `${shown(name)} is not known`, pointer: within('', name) }),
  },
  maxBytes: MAX_BATCH_BYTES,
};

interface Batch extends Omit<Context, 'keyOf'> {
  /** The `Idempotency-Key` of the request. */
  key: string | undefined;
  requestId: string;
  runtime: Runtime;
}

/**
 * The keys of creates: each user's own, of equal ones the first's, the second's, and so on. So a user is created once whatever else is in the
 * batch: what got a 503 may be sent again by itself, and a file in other parts.
 */
function keysOf(key: string | undefined): Context['keyOf'] {
  const seen = new Map<string, number>();
  return (fields) => {
    if (key === undefined) return undefined;
    const hash = hashOf(fields);
    const occurrence = (seen.get(hash) ?? 0) + 1;
    seen.set(hash, occurrence);
    return createHash('sha256').update(`batch\0${key}\0${hash}\0${occurrence}`).digest('base64url');
  };
}

/** Never throws, so that the others go on. */
async function resultOf(operation: unknown, context: Context, { runtime, requestId }: Batch): Promise<BatchResult> {
  if (timeLeft(runtime) < LEAST_MS) return NOT_BEGUN;
  try {
    return await perform(operation, context);
  } catch (cause) {
    return failureOf(cause, requestId);
  }
}

/** The results in the order of the operations. Those that there is no time for are not begun. */
export async function runBatch(operations: readonly unknown[], batch: Batch): Promise<BatchResult[]> {
  const { users, origin, key, isStrict, runtime } = batch;
  const context = { users, origin, isStrict, keyOf: keysOf(key) };
  const results = new Array<BatchResult>(operations.length);
  const runInTurn = async (places: readonly number[]) => {
    for (const place of places) results[place] = await resultOf(operations[place], context, batch);
  };
  const end = runtime.now() + timeLeft(runtime) - ANSWER_MS;
  await withDeadline(end, () => inParallel(chainsOf(operations), TRANSACTIONS_AT_ONCE, runInTurn));
  noteOperations(results.map(({ status }) => status));
  return results;
}
