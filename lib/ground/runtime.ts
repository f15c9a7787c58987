/** The only place that reads the clock, random numbers and environment variables. */
import { setTimeout } from 'node:timers/promises';

export interface Runtime {
  /** Milliseconds since 1970-01-01T00:00:00Z. */
  now(): number;
  /** Milliseconds of a clock that only goes forward. */
  monotonic(): number;
  /** Milliseconds that this thread has computed, or on an old Node all threads. They stand still while another program has the processor. */
  processor(): number;
  /** A number in [0, 1). */
  random(): number;
  sleep(milliseconds: number): Promise<unknown>;
}

const MICROSECONDS = 1_000;

/** Node 22 has no count of one thread. That of the whole process goes on sooner, never later, so a limit still ends what is too long. */
function processor(): number {
  const { user, system } = (process.threadCpuUsage ?? process.cpuUsage)();
  return (user + system) / MICROSECONDS;
}

export const systemRuntime: Runtime = {
  now: Date.now,
  monotonic: () => performance.now(),
  processor,
  random: Math.random,
  sleep: (milliseconds) => setTimeout(milliseconds),
};

/** @throws {Error} when the variable is not set: a fault of the deployment, never of a request. */
export function requiredVariable(name: string): string {
  const value = process.env[name];
  if (!value) throw new Error(`Environment variable ${name} is not set`);
  return value;
}

/** Undefined for an empty one, too. */
export const optionalVariable = (name: string): string | undefined => process.env[name] || undefined;
