import { spawn } from 'node:child_process';
import { systemRuntime } from '../../lib/runtime.ts';

const START_TIMEOUT_MS = 120_000;
const POLL_INTERVAL_MS = 100;

/** A program that runs until it is told to end. */
export interface Running {
  /** Everything that it has printed so far. */
  said(): string;
  /** Resolves when it has printed the text. */
  says(text: string): Promise<void>;
  /** Ctrl-C. @returns the exit code */
  end(): Promise<number | null>;
}

export function runUntilEnded(options: readonly string[], env: NodeJS.ProcessEnv, cwd: string): Running {
  const child = spawn(process.execPath, options, { cwd, env, stdio: ['ignore', 'pipe', 'pipe'] });
  let said = '';
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk) => (said += chunk));
  const ended = new Promise<number | null>((resolve) => child.once('close', resolve));
  const kill = () => child.kill('SIGKILL');
  process.once('exit', kill);
  return {
    said: () => said,
    async says(text) {
      const deadline = systemRuntime.now() + START_TIMEOUT_MS;
      while (!said.includes(text)) {
        const hasEnded = child.exitCode !== null || child.signalCode !== null;
        if (hasEnded || systemRuntime.now() > deadline) throw new Error(`It did not say "${text}":\n${said}`);
        await systemRuntime.sleep(POLL_INTERVAL_MS);
      }
    },
    end() {
      process.removeListener('exit', kill);
      child.kill('SIGINT');
      return ended;
    },
  };
}
