import { fork } from 'node:child_process';
import { once } from 'node:events';

export interface Echo {
  url: string;
  stop: () => void;
}

/** Starts the echo, which ends with this process at the latest. */
export async function startEcho(): Promise<Echo> {
  const child = fork(new URL('./echo.ts', import.meta.url));
  const [{ port }] = await once(child, 'message');
  return { url: `http://127.0.0.1:${port}`, stop: () => child.kill() };
}
