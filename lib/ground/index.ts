export { ensureTime, sleepWithin, timeLeft, withDeadline, withoutDeadline } from './deadline.ts';
export {
  badParameter,
  type Failure,
  fault,
  PROBLEMS,
  type ProblemCode,
  ServiceError,
  typeOf,
  unavailable,
  userNotFound,
} from './errors.ts';
export { escapeBreaks, toLine } from './jsonLines.ts';
export { embeddedMetrics, isLocal, logFault, logRequest, METRICS, type Metric, trace, writeLine } from './log.ts';
export { memoized } from './memoized.ts';
export {
  currentMeter,
  type Meter,
  metered,
  note,
  noteOperations,
  noteReplica,
  noteThrottled,
  noteUnits,
} from './metering.ts';
export { callsAtOnce, chunksOf, inParallel, runsOf, TRANSACTIONS_AT_ONCE } from './parallel.ts';
export { numberVariable, optionalVariable, type Runtime, requiredVariable, systemRuntime } from './runtime.ts';
export { bytesSent, MOST_SENT } from './sent.ts';
