/**
 * `npm run deploy -- --stage prod [--region eu-west-1] [--adopt] [--url https://users.example.com]`: deploys a stage, runs the
 * smoke test against its own address or the URL, and goes back to the version before if the test fails. The exit code is 0 only
 * if the stage runs the new version.
 */
import { spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { CloudFormationClient, DescribeStacksCommand, GetTemplateCommand } from '@aws-sdk/client-cloudformation';
import { optionalVariable } from '../../runtime.ts';
import { unlessMissing } from '../deploy/stage.ts';
import { deployOrGoBack } from './goBack.ts';
import { regionOf, stackOf } from './stages.ts';
import { findToken } from './token.ts';
import { versionIn } from './versions.ts';

const ROOT = fileURLToPath(new URL('../../..', import.meta.url));
const USAGE = 'Usage: npm run deploy -- --stage prod [--region eu-west-1] [--adopt] [--url https://users.example.com]';

function readOptions() {
  const { values } = parseArgs({
    options: {
      stage: { type: 'string' },
      region: { type: 'string' },
      adopt: { type: 'boolean', default: false },
      url: { type: 'string' },
    },
  });
  const { stage = '', url } = values;
  if (stage === '' || (url !== undefined && !/^https?:\/\//.test(url))) throw new Error(USAGE);
  return { stage, region: regionOf(values.region), isAdopting: values.adopt, url };
}

/** @returns whether its exit code is 0 */
const run = (program: string, ...options: string[]): Promise<boolean> =>
  new Promise((resolve, reject) => {
    const child = spawn(process.execPath, [program, ...options], {
      cwd: ROOT,
      stdio: ['ignore', 'inherit', 'inherit'],
    });
    child.once('error', reject);
    child.once('close', (code) => resolve(code === 0));
  });

async function deploy(): Promise<boolean> {
  const { stage, region, isAdopting, url } = readOptions();
  const client = new CloudFormationClient({ region });
  const StackName = stackOf(stage);
  const serverless = (command: string, ...options: string[]) =>
    run('node_modules/serverless/bin/serverless.js', command, '--stage', stage, '--region', region, ...options);
  const address = async (): Promise<string> => {
    const { Stacks } = await client.send(new DescribeStacksCommand({ StackName }));
    const found = Stacks?.[0]?.Outputs?.find(({ OutputKey }) => OutputKey === 'ServiceEndpoint')?.OutputValue;
    if (found === undefined) throw new Error(`Stack ${StackName} has no address`);
    return found;
  };
  // Without its token the test could say nothing.
  await findToken();
  const { isWell, sentence } = await deployOrGoBack(stage, {
    version: async () => {
      const found = await client.send(new GetTemplateCommand({ StackName })).catch(unlessMissing);
      return found?.TemplateBody === undefined ? undefined : versionIn(found.TemplateBody);
    },
    deploy: () => serverless('deploy', ...(isAdopting ? ['--adopt'] : [])),
    test: async () => run('lib/tooling/operations/smoke.ts', url ?? (await address())),
    goBack: (version) => serverless('rollback', '--timestamp', version),
  });
  // GitHub shows a line that begins so beside the run.
  const mark = !isWell && optionalVariable('GITHUB_ACTIONS') !== undefined ? '::error::' : '';
  process.stdout.write(`${mark}${sentence}\n`);
  return isWell;
}

deploy().then(
  (isWell) => {
    process.exitCode = isWell ? 0 : 1;
  },
  (error: Error) => {
    process.stderr.write(`${error.message}\n`);
    process.exitCode = 2;
  },
);
