import { spawn } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, dirname, join } from 'node:path';
import { startServer } from '../../local/server.ts';
import { findPython } from '../prerequisites.ts';

const START_TIMEOUT_MS = 60_000;

export const REGION = 'eu-central-1';

/** Credentials that allow everything. Functions have credentials of their roles. */
export const CREDENTIALS = { AWS_ACCESS_KEY_ID: 'local', AWS_SECRET_ACCESS_KEY: 'local' };

/** The environment without what might lead to AWS. */
export const withoutAws = (): NodeJS.ProcessEnv =>
  Object.fromEntries(
    Object.entries(process.env).filter(([name]) => !/^(AWS_|OIDC_|SLS_|USERS_|DIRECTORY_)/.test(name)),
  );

/** It listens only on loopback, keeps its files in one folder, and uses no Docker. Functions run on the Node of this process. */
const environment = (port: string, folder: string): NodeJS.ProcessEnv => ({
  ...withoutAws(),
  ...CREDENTIALS,
  PATH: `${dirname(process.execPath)}${delimiter}${process.env.PATH}`,
  TMPDIR: folder,
  AUTH: 'true',
  BIND_HOST: '127.0.0.1',
  GATEWAY_PORT: port,
  MINISTACK_REGION: REGION,
  IOT_MTLS_ENABLED: '0',
  DOCKER_HOST: `unix://${folder}/none`,
});

/** AWS on this machine. */
export type StandIn = Awaited<ReturnType<typeof startStandIn>>;

/** @throws {MissingPrerequisite} without Python */
export async function startStandIn() {
  const here = (file: string): string => join(import.meta.dirname, file);
  const python = findPython('The rehearsal', 'nothing was rehearsed', here('requirements.txt'), '.local/ministack');
  const folder = mkdtempSync(join(tmpdir(), 'stand-in-'));
  const { endpoint, stop } = await startServer('The stand-in for AWS', START_TIMEOUT_MS, (port) =>
    spawn(python, [here('standIn.py')], { env: environment(port, folder), stdio: ['ignore', 'ignore', 'pipe'] }),
  );
  const file = join(folder, 'refusals');
  return {
    endpoint,
    /** The calls that it has refused to roles since the last time, as `function action resource`. */
    refusals(): string[] {
      const lines = existsSync(file) ? readFileSync(file, 'utf8').trim().split('\n') : [];
      rmSync(file, { force: true });
      return [...new Set(lines)];
    },
    stop: (): Promise<void> => stop().then(() => rmSync(folder, { recursive: true, force: true })),
  };
}
