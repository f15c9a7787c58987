import { spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { build } from 'esbuild';
import { PACKAGED } from '../deploy/bundle.ts';
import { Stop } from '../program/stop.ts';
import type { DoorFolder } from './doors.ts';
import { installPackages } from './packages.ts';

const ROOT = join(import.meta.dirname, '../..');
const FRAMEWORK = join(ROOT, 'node_modules/serverless/bin/serverless.js');

/** The framework and its plugins have no use for secrets. */
const { TOKEN: _, OIDC_CLIENT_SECRET: __, ...WITHOUT_SECRETS } = process.env;

/** The source of the function of Lambda that a door becomes. */
function entryOf({ name, isFollower }: DoorFolder): string {
  const [handler, file] = isFollower ? ['onSchedule', 'schedule'] : ['onLambda', 'lambda'];
  return `import door from './doors/${name}/door.ts';
import { ${handler} } from './doors/${file}.ts';
export const handler = ${handler}(door);
`;
}

/** Makes a folder with a door as one file, index.cjs, which Lambda runs, and its serverless.yml. */
export async function bundleDoor(door: DoorFolder, folder: string): Promise<void> {
  installPackages(door);
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  cpSync(door.file('serverless.yml'), join(folder, 'serverless.yml'));
  await build({
    ...PACKAGED,
    stdin: { contents: entryOf(door), resolveDir: ROOT, loader: 'ts' },
    outfile: join(folder, 'index.cjs'),
  });
}

export interface Deployment {
  stage: string;
  region: string;
  /** The parameters of the door's serverless.yml, by name. */
  parameters: Record<string, string>;
}

/**
 * Packages or deploys a door with code, by the framework.
 *
 * @returns the folder with what was packaged
 * @throws {Stop} when the framework fails, which says why
 */
export async function runFramework(
  command: 'package' | 'deploy',
  door: DoorFolder,
  { stage, region, parameters }: Deployment,
): Promise<string> {
  const cwd = join(ROOT, '.local/doors', door.name);
  await bundleDoor(door, cwd);
  const given = Object.entries(parameters).flatMap(([name, value]) => ['--param', `${name}=${value}`]);
  const options = [FRAMEWORK, command, '--stage', stage, '--region', region, ...given];
  const { status } = spawnSync(process.execPath, options, {
    cwd,
    env: WITHOUT_SECRETS,
    stdio: ['ignore', 'inherit', 'inherit'],
  });
  if (status !== 0) throw new Stop(`The framework could not ${command} door ${door.name}`);
  return join(cwd, '.serverless');
}
