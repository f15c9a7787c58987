export { ensureTime, sleepWithin, timeLeft, withDeadline, withoutDeadline } from './deadline.ts';
export { errorsOf, type Failure, fault, PROBLEMS, type Problem, ServiceError, unavailable } from './errors.ts';
export { packIntegers, unpackIntegers } from './integers.ts';
export { escapeBreaks } from './jsonLines.ts';
export { logFault, logLine } from './log.ts';
export { currentMeter, type Meter, metered, note } from './metering.ts';
export { exactNumber, parseExactly } from './numbers.ts';
export { chunksOf, inParallel } from './parallel.ts';
export { optionalVariable, type Runtime, requiredVariable, systemRuntime } from './runtime.ts';
