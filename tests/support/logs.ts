import { vi } from 'vitest';

interface Line {
  level: string;
  message?: string;
  causes?: string[];
  [member: string]: unknown;
}

/** Keeps what the service logs, one JSON line each, instead of printing it. Ends with `vi.restoreAllMocks`. */
export function captureLog(): { requests: Line[]; faults: Line[]; text: () => string } {
  const requests: Line[] = [];
  const faults: Line[] = [];
  vi.spyOn(process.stdout, 'write').mockImplementation((line) => {
    const parsed: Line = JSON.parse(String(line));
    (parsed.level === 'info' ? requests : faults).push(parsed);
    return true;
  });
  return { requests, faults, text: () => JSON.stringify([requests, faults]) };
}
