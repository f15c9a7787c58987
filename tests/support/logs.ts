import { afterEach, beforeEach, expect, vi } from 'vitest';

interface Line {
  level: string;
  message?: string;
  causes?: string[];
  [member: string]: unknown;
}

export interface CapturedLog {
  requests: Line[];
  faults: Line[];
  text: () => string;
}

/** The member of a line of the log of which CloudWatch makes metrics. */
export const metricsOf = (Metrics: { Name: string; Unit: string }[]) => ({
  Timestamp: expect.any(Number),
  CloudWatchMetrics: [{ Namespace: 'UserManagement', Dimensions: [['stage']], Metrics }],
});

/** Collects the log lines of the service instead of printing them. Ends with `vi.restoreAllMocks`. */
export function captureLog(): CapturedLog {
  const requests: Line[] = [];
  const faults: Line[] = [];
  vi.spyOn(process.stdout, 'write').mockImplementation((line) => {
    const parsed: Line = JSON.parse(String(line));
    (parsed.level === 'info' ? requests : faults).push(parsed);
    return true;
  });
  return { requests, faults, text: () => JSON.stringify([requests, faults]) };
}

/** The log of each test of a file. Mocks and environment variables end with the test. */
export function logOfEachTest(): CapturedLog {
  const log: CapturedLog = { requests: [], faults: [], text: () => '' };
  beforeEach(() => {
    Object.assign(log, captureLog());
  });
  afterEach(() => {
    vi.restoreAllMocks();
    vi.unstubAllEnvs();
  });
  return log;
}
