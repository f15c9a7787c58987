import { expect, test, vi } from 'vitest';
import { systemRuntime } from '../../../lib/ground/index.ts';

/** Computes until the count of computed time goes on. It would not, if it were not measured. */
function computedMore(): boolean {
  const before = systemRuntime.processor();
  for (let i = 0; i < 1e9; i++) if (systemRuntime.processor() > before) return true;
  return false;
}

test.each([
  ['counts for a thread', process.threadCpuUsage],
  // Such as 22.18.
  ['does not', undefined],
])('computing is measured on a Node that %s', (_, threadCpuUsage) => {
  vi.stubGlobal('process', Object.create(process, { threadCpuUsage: { value: threadCpuUsage } }));
  expect(computedMore()).toBe(true);
});
