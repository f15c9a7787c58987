import { logLine, type Meter, optionalVariable, systemRuntime } from '../ground/index.ts';

export type Unit = 'Milliseconds' | 'Seconds' | 'Count' | 'Percent';

/** The metrics of requests, with their units. CloudWatch charges for each by the month, and for each value of a dimension anew. */
export const METRICS = {
  milliseconds: 'Milliseconds',
  readUnits: 'Count',
  writeUnits: 'Count',
  faultyOperations: 'Count',
  throttledCalls: 'Count',
} as const satisfies Record<string, Unit>;

/** The metrics of a line, and the namespace that CloudWatch shows them in. */
interface Metrics {
  namespace: string;
  units: Readonly<Record<string, Unit>>;
}

/** Metrics are for CloudWatch, not for a terminal. */
export const isLocal = (): boolean => optionalVariable('IS_OFFLINE') !== undefined;

/**
 * A line of the log, of which CloudWatch reads some members as metrics of the stage:
 * https://docs.aws.amazon.com/AmazonCloudWatch/latest/monitoring/CloudWatch_Embedded_Metric_Format_Specification.html
 */
export function logMetrics({ namespace, units }: Metrics, line: Record<string, unknown>): void {
  const Metrics = Object.entries(units).map(([Name, Unit]) => ({ Name, Unit }));
  const CloudWatchMetrics = [{ Namespace: namespace, Dimensions: [['stage']], Metrics }];
  const embedded = { stage: optionalVariable('STAGE'), _aws: { Timestamp: systemRuntime.now(), CloudWatchMetrics } };
  logLine({ level: 'info', ...line, ...(isLocal() ? {} : embedded) });
}

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

/** One JSON line per request, as CloudWatch Logs Insights reads it. */
export function logRequest(namespace: string, { meter, isTimed, ...request }: RequestRecord): void {
  const { milliseconds, faultyOperations, throttledCalls, readUnits, writeUnits } = METRICS;
  const units = {
    ...(isTimed && { milliseconds }),
    ...(meter.faultyOperations && { faultyOperations }),
    ...(meter.calls > 0 && { ...(meter.throttledCalls && { throttledCalls }), readUnits, writeUnits }),
  };
  logMetrics({ namespace, units }, { ...request, ...meter });
}
