import { execFileSync, spawn, spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { freePort } from '../port.ts';
import { type Server, startServer } from '../server.ts';

const FOLDER = '.local/opensearch';
const MAVEN = 'mvn';
const COPY = 'org.apache.maven.plugins:maven-dependency-plugin:3.6.1:copy-dependencies';
/** With the version in pom.xml. */
const JAR = 'opensearch-2.19.6.jar';

const START_TIMEOUT_MS = 180_000;

/** Half of it is left to the pages of files. */
const HEAP = '-Xmx768m';

const here = (file: string): string => join(import.meta.dirname, file);

const runs = ([program, ...options]: readonly [string, ...string[]]): boolean =>
  spawnSync(program, options).status === 0;

/** The program of OpenSearch asks for a JDK: it compiles the file that starts it. Undefined where nothing is missing. */
export function missingForOpenSearch(): string | undefined {
  if (!runs(['javac', '--release', '17', '--version'])) return 'OpenSearch needs a JDK, 17 or newer.';
  const isFetched = existsSync(join(FOLDER, JAR));
  return isFetched || runs([MAVEN, '--version']) ? undefined : 'OpenSearch needs Maven as "mvn", which fetches it.';
}

function fetchJars(): void {
  if (existsSync(join(FOLDER, JAR))) return;
  const copying = [COPY, `-DoutputDirectory=${resolve(FOLDER)}`, '-DincludeScope=runtime'];
  execFileSync(MAVEN, ['-q', '-f', here('pom.xml'), ...copying], { stdio: 'inherit' });
}

/**
 * Starts an OpenSearch of one node on loopback, which ends with this process. The first time Maven fetches it: some 60 MB.
 *
 * @param data the folder of its data; without it they are gone when it ends
 * @throws {Error} without a JDK or Maven, or when it does not start
 */
export async function startOpenSearch(data?: string): Promise<Server> {
  const missing = missingForOpenSearch();
  if (missing) throw new Error(missing);
  fetchJars();
  const home = data ?? mkdtempSync(join(tmpdir(), 'opensearch-'));
  const transport = String(await freePort());
  const java = [HEAP, '-cp', join(FOLDER, '*'), here('OneNode.java'), home];
  const server = await startServer('OpenSearch', START_TIMEOUT_MS, (port) =>
    spawn('java', [...java, port, transport], { stdio: ['pipe', 'ignore', 'pipe'] }),
  );
  const removed = server.ended.then(() => {
    if (data === undefined) rmSync(home, { recursive: true, force: true });
  });
  const stop = async () => {
    await server.stop();
    await removed;
  };
  return { ...server, stop };
}
