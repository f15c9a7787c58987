import { ServiceError } from './errors.ts';
import { toLine } from './jsonLines.ts';
import type { Meter } from './metering.ts';
import { optionalVariable, systemRuntime } from './runtime.ts';

/** A request, who made it, and its cost. It has no path, parameter or body, and so no data of the user that it is about. */
export interface RequestRecord {
  requestId: string | undefined;
  /** The name of the Lambda function. */
  function: string;
  /** Method and route, such as `GET /api/users/{id}`. */
  route: string;
  status: number;
  /** The subject of the caller's token. Absent if none was needed. */
  by?: string | undefined;
  milliseconds: number;
  /** Whether the milliseconds say anything: the time of a stream, a batch or an edit follows from what was asked for. */
  isTimed: boolean;
  meter: Meter;
}

/** The metrics with their units. CloudWatch charges for each by the month, and for each value of a dimension anew. */
export const METRICS = {
  milliseconds: 'Milliseconds',
  readUnits: 'Count',
  writeUnits: 'Count',
  journalEntries: 'Count',
  oldestEntrySeconds: 'Seconds',
  sizePercent: 'Percent',
  brokenItems: 'Count',
  faultyOperations: 'Count',
  throttledCalls: 'Count',
  sentEvents: 'Count',
  eventsLagSeconds: 'Seconds',
} as const;

export type Metric = keyof typeof METRICS;

/** Metrics are for CloudWatch, not for a terminal. */
export const isLocal = (): boolean => optionalVariable('IS_OFFLINE') !== undefined;

/**
 * Makes CloudWatch read members of the line as metrics of the stage:
 * https://docs.aws.amazon.com/AmazonCloudWatch/latest/monitoring/CloudWatch_Embedded_Metric_Format_Specification.html
 */
export const embeddedMetrics = (metrics: readonly Metric[]) => ({
  stage: optionalVariable('STAGE'),
  _aws: {
    Timestamp: systemRuntime.now(),
    CloudWatchMetrics: [
      {
        Namespace: 'UserManagement',
        Dimensions: [['stage']],
        Metrics: metrics.map((Name) => ({ Name, Unit: METRICS[Name] })),
      },
    ],
  },
});

/** Connects the line with the X-Ray trace of the request. */
export function trace(): { trace?: string } {
  const root = /Root=([^;]+)/.exec(optionalVariable('_X_AMZN_TRACE_ID') ?? '')?.[1];
  return root === undefined ? {} : { trace: root };
}

/** Not `console`: Lambda puts a time and a level before its lines, and they would not be JSON. */
export const writeLine = (line: object): void => {
  process.stdout.write(`${toLine(line)}\n`);
};

/** One JSON line per request, as CloudWatch Logs Insights reads it. */
export function logRequest({ meter, isTimed, ...request }: RequestRecord): void {
  const time: Metric[] = isTimed ? ['milliseconds'] : [];
  const faulty: Metric[] = meter.faultyOperations ? ['faultyOperations'] : [];
  const throttled: Metric[] = meter.throttledCalls ? ['throttledCalls'] : [];
  const units: Metric[] = meter.calls > 0 ? [...throttled, 'readUnits', 'writeUnits'] : [];
  const metrics: Metric[] = [...time, ...faulty, ...units];
  writeLine({ level: 'info', ...request, ...meter, ...trace(), ...(isLocal() ? {} : embeddedMetrics(metrics)) });
}

const MAX_CAUSES = 5;

/** The stack frames, which V8 puts below name and message. Empty if the stack begins with other text: a message may look like frames. */
function framesOf({ name, message, stack = '' }: Error): string[] {
  const head = [`${name}: ${message}`, name].find((text) => stack.startsWith(`${text}\n`));
  return head === undefined ? [] : stack.slice(head.length + 1).split('\n');
}

/** Logs the messages of this service. Other messages may quote what a user sent, so only the name of the error is logged. */
function describe(error: Error): string {
  const title = error instanceof ServiceError ? `${error.name}: ${error.message}` : error.name;
  return [title, ...framesOf(error)].join('\n');
}

/** One JSON line per fault: its kind and its stack frames. */
export function logFault(error: Error, requestId: string | undefined): void {
  const causes: string[] = [];
  for (let cause: unknown = error; cause instanceof Error && causes.length < MAX_CAUSES; cause = cause.cause) {
    causes.push(describe(cause));
  }
  const message = error instanceof ServiceError ? error.message : error.name;
  writeLine({ level: 'error', requestId, message, causes, ...trace() });
}
