/**
 * `npm run test:clients`: generates clients from docs/openapi.json, compiles them, and uses those in Go and Java with a service.
 * Needs a JDK, Maven, Go and Python.
 */
import { systemRuntime } from '../../../lib/runtime.ts';
import { freePort } from '../../local/port.ts';
import { endWith, MissingPrerequisite } from '../../prerequisites.ts';
import { runProgram } from '../../runProgram.ts';
import { fetchJars } from '../java.ts';
import { findPython } from '../python.ts';
import { runUntilEnded } from '../running.ts';
import {
  compileGo,
  compileJava,
  compileTypeScript,
  GENERATOR,
  generate,
  importPython,
  PACKAGES,
  useGo,
  useJava,
} from './clients.ts';

function requireGo(): void {
  if (runProgram('go', ['version']).isWell) return;
  throw new MissingPrerequisite('The test of generated clients needs Go as "go": no client was generated.');
}

/** Says how long a step took. */
function step(name: string, work: () => void): void {
  const start = systemRuntime.monotonic();
  work();
  process.stdout.write(`${name}: ${((systemRuntime.monotonic() - start) / 1_000).toFixed(1)} s\n`);
}

/** Runs something with a service of its own. */
async function withService(work: (url: string) => void): Promise<void> {
  const port = String(await freePort());
  const options = ['node_modules/serverless/bin/serverless.js', 'offline'];
  const service = runUntilEnded(options, { ...process.env, PORT: port, OIDC_ISSUER: '' }, process.cwd());
  try {
    await service.says('Server ready');
    work(`http://localhost:${port}`);
  } finally {
    await service.end();
  }
}

async function test(): Promise<void> {
  requireGo();
  fetchJars(GENERATOR);
  const python = findPython(PACKAGES);
  step('generate', generate);
  step('compile Go', compileGo);
  step('compile Java, native', () => compileJava('java-native'));
  step('compile Java, okhttp-gson', () => compileJava('java-okhttp-gson'));
  step('compile TypeScript', compileTypeScript);
  step('import Python', () => importPython(python));
  await withService((url) => {
    step('use Go', () => useGo(url));
    step('use Java, native', () => useJava('java-native', url));
  });
}

test().catch(endWith);
