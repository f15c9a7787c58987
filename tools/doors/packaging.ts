import { spawnSync } from 'node:child_process';
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
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

/** The names of the service and of the stack in serverless.yml, which the framework reads before any parameter. */
const NAMES = /^(service: user-management-| {2}stackName: user-management-\$\{sls:stage\}-)\w+$/gm;

/** Makes a folder with a door as one file, index.cjs, which Lambda runs, and its serverless.yml, maybe under another name. */
export async function bundleDoor(door: DoorFolder, folder: string, as = door.name): Promise<void> {
  installPackages(door);
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  const config = readFileSync(door.file('serverless.yml'), 'utf8').replaceAll(NAMES, `$1${as}`);
  writeFileSync(join(folder, 'serverless.yml'), config);
  await build({
    ...PACKAGED,
    stdin: { contents: entryOf(door), resolveDir: ROOT, loader: 'ts' },
    outfile: join(folder, 'index.cjs'),
  });
}

export interface Deployment {
  stage: string;
  region: string;
  /** Another name than that of the door. */
  as?: string | undefined;
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
  { stage, region, as = door.name, parameters }: Deployment,
): Promise<string> {
  const cwd = join(ROOT, '.local/doors', as);
  await bundleDoor(door, cwd, as);
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
