/**
 * `npm run test:clients`: generates clients from docs/openapi.json, compiles them, and uses those in Go and Java with a service.
 * Needs a JDK, Maven, Go and Python.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { systemRuntime } from '../../../lib/runtime.ts';
import { freePort } from '../../local/port.ts';
import { untilItResponds } from '../../local/server.ts';
import { endWith } from '../../prerequisites.ts';
import { findPython } from '../python.ts';
import * as clients from './clients.ts';

const START_TIMEOUT_MS = 120_000;

/** Says how long a step took. */
function step(name: string, work: () => void): void {
  const start = systemRuntime.monotonic();
  work();
  process.stdout.write(`${name}: ${((systemRuntime.monotonic() - start) / 1_000).toFixed(1)} s\n`);
}

/** Runs something with a service of its own. */
async function withService(work: (url: string) => void): Promise<void> {
  const PORT = String(await freePort());
  const url = `http://localhost:${PORT}`;
  const options = ['node_modules/serverless/bin/serverless.js', 'offline'];
  const env = { ...process.env, PORT, OIDC_ISSUER: '' };
  const service = spawn(process.execPath, options, { env, stdio: ['ignore', 'ignore', 'pipe'] });
  const ended = once(service, 'close');
  try {
    await untilItResponds('The service', `${url}/api/users`, service, START_TIMEOUT_MS);
    work(url);
  } finally {
    service.kill('SIGINT');
    await ended;
  }
}

async function test(): Promise<void> {
  clients.requireCompilers();
  const python = findPython(clients.PACKAGES);
  step('generate', clients.generate);
  step('compile Go', clients.compileGo);
  step('compile Java, native', () => clients.compileJava('java-native'));
  step('compile TypeScript', clients.compileTypeScript);
  step('import Python', () => clients.importPython(python));
  await withService((url) => {
    step('use Go', () => clients.useGo(url));
    step('use Java, native', () => clients.useJava('java-native', url));
  });
}

test().catch(endWith);
