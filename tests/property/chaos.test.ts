import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { chaos } from '../support/fake/chaos.ts';
import { CHAOS_SIZES, type ChaosReport, chaosRuntime, reachedNow } from '../support/fake/chaosCourse.ts';
import { loadHandlersOn } from '../support/fake/handlers.ts';
import type { Invoke } from '../support/handlers.ts';
import { captureLog } from '../support/logs.ts';

/** `npm run test:long` takes more and longer ones. */
const SEEDS = Number(process.env.CHAOS_SEEDS ?? 2);
const OPERATIONS = Number(process.env.CHAOS_OPERATIONS ?? 250);
const FIRST_SEED = Number(process.env.CHAOS_SEED ?? 1);

let invoke: Invoke;

beforeAll(async () => {
  captureLog();
  invoke = await loadHandlersOn(reachedNow, chaosRuntime, CHAOS_SIZES);
});

afterAll(() => {
  vi.restoreAllMocks();
  vi.unstubAllEnvs();
  vi.resetModules();
});

test(
  'an acknowledged write stays, any other happens once or never, and statistics are exact, while over a quarter of all attempts fail',
  async () => {
    const reports: ChaosReport[] = [];
    for (let seed = FIRST_SEED; seed < FIRST_SEED + SEEDS; seed++) {
      const report = await chaos(invoke, { seed, operations: OPERATIONS }).catch((error: Error) => {
        throw new Error(`CHAOS_SEED=${seed}: ${error.message}`, { cause: error });
      });
      reports.push(report);
      // Standard error, because the log of the service is captured.
      process.stderr.write(`seed ${seed}: ${JSON.stringify(report)}\n`);
    }
    const sum = (of: (report: ChaosReport) => number) => reports.reduce((total, report) => total + of(report), 0);
    expect(sum(({ faults }) => faults) / sum(({ attempts }) => attempts)).toBeGreaterThan(0.25);
    expect(sum(({ deaths }) => deaths)).toBeGreaterThan(SEEDS);
    expect(sum(({ folds }) => folds)).toBeGreaterThan(SEEDS);
    for (const status of ['200', '201', '204', '503', 'none']) {
      expect(sum(({ statuses }) => statuses[status] ?? 0)).toBeGreaterThan(0);
    }
  },
  SEEDS * OPERATIONS * 200 + 60_000,
);
