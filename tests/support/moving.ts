import { mkdtempSync, rmSync } from 'node:fs';
import { createServer, type RequestListener } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import { close, listen } from './loopback.ts';
import { type Ended, startProgram } from './runProgram.ts';

/** Runs `npm run import` and the like as one process, which can be killed. */
export const startMoving = (
  command: 'import' | 'export' | '../operate/smoke',
  options: readonly string[],
  more: { input?: string; env?: Record<string, string> } = {},
) => startProgram(process.execPath, [`tools/import/${command}.ts`, ...options], more);

export const moving = (...request: Parameters<typeof startMoving>): Promise<Ended> => startMoving(...request).ended;

/** A folder that is removed with the test. */
export function folderForTest(): string {
  const folder = mkdtempSync(join(tmpdir(), 'moving-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  return folder;
}

/** A service whose responses are made up. It ends with the test. */
export function serveForTest(respond: RequestListener): Promise<string> {
  const server = createServer(respond);
  onTestFinished(() => close(server));
  return listen(server);
}
