/**
 * `npm run deploy -- --stage prod`: deploys a stage, runs the smoke test against its own address or the URL, and rolls it back if
 * the test fails. The exit code is 0 if the stage runs the new version, 1 if it does not, or not for certain, and 2 if nothing was tried.
 */
import { spawnSync } from 'node:child_process';
import { CloudFormationClient, DescribeStacksCommand } from '@aws-sdk/client-cloudformation';
import { optionalVariable, systemRuntime } from '../../lib/ground/index.ts';
import { NO_ISSUER } from '../../lib/rest/tokens/index.ts';
import { refusalOf } from '../deploy/authentication.ts';
import { templateOf, unlessMissing } from '../deploy/existing.ts';
import { findRegion } from '../deploy/region.ts';
import { FLAG, readOptions, readUrl, TEXT } from '../program/options.ts';
import { runMain, Stop } from '../program/stop.ts';
import { findToken } from '../program/token.ts';
import { requireCredentials } from './credentials.ts';
import { deployTested, type StageActions, type Verdict } from './deployment.ts';
import { isSettled, mayBeOpen, readStage, stackOf, versionIn } from './stages.ts';

const FRAMEWORK = 'node_modules/serverless/bin/serverless.js';
const SMOKE_TEST = 'tools/operate/smoke.ts';

const USAGE = `Usage: npm run deploy -- --stage <stage>
  --stage <stage>    the stage to deploy, test, and roll back if the test fails: dev, staging, prod, or a name of yours
  --region <region>  otherwise as the AWS command line finds it, or eu-central-1
  --url <base URL>   the address for the smoke test, such as that of the domain; otherwise the stage's own
  --resend           deploys even if neither code nor settings have changed, which replaces all containers
  --adopt            serves from the tables of a stack that is gone, once (docs/runbook.md)
  --unwatched        does not let the alarm of faults roll the deployment back; the smoke test still does
AWS credentials, OIDC_ISSUER, OIDC_AUDIENCE and the client of the smoke test are in the environment: docs/deployment.md`;

const OPTIONS = { stage: TEXT, region: TEXT, adopt: FLAG, resend: FLAG, unwatched: FLAG, url: TEXT };

async function readSettings() {
  const { region, url, ...given } = readOptions(OPTIONS, USAGE);
  const stage = readStage(given.stage, USAGE);
  const flags = (['adopt', 'resend', 'unwatched'] as const).filter((flag) => given[flag]).map((flag) => `--${flag}`);
  return { stage, region: await findRegion(region), flags, url: url === undefined ? url : readUrl(url, USAGE) };
}

/** null if it was ended. */
const exitCodeOf = (env: NodeJS.ProcessEnv, program: string, ...options: string[]): number | null =>
  spawnSync(process.execPath, [program, ...options], {
    cwd: `${import.meta.dirname}/../..`,
    stdio: ['ignore', 'inherit', 'inherit'],
    env,
  }).status;

/** The framework and its plugins have no use for what the smoke test signs in with. */
const { TOKEN: _, OIDC_CLIENT_SECRET: __, ...WITHOUT_SECRETS } = process.env;

/** The exit codes of the smoke test. */
const VERDICTS: readonly Verdict[] = ['passed', 'failed', 'unknown'];

const NO_TOKEN = 'The smoke test needs TOKEN, or OIDC_CLIENT_ID and OIDC_CLIENT_SECRET.';

/**
 * Why the stage cannot be deployed and tested, asked in the order in which a newcomer needs the answers. The issuer may be in
 * serverless.yml, too: with TOKEN only the framework asks for it.
 */
async function refusal(stage: string): Promise<string | undefined> {
  const [token, issuer = '', audience = ''] = ['TOKEN', 'OIDC_ISSUER', 'OIDC_AUDIENCE'].map(optionalVariable);
  const refused = token ? undefined : refusalOf(stage, { issuer, audience, mayBeOpen: mayBeOpen(stage) });
  if (refused !== undefined || issuer === NO_ISSUER) return refused;
  return (await findToken()) === undefined ? NO_TOKEN : undefined;
}

const POLL_INTERVAL_MS = 5_000;

const describe = async (client: CloudFormationClient, StackName: string) =>
  (await client.send(new DescribeStacksCommand({ StackName })).catch(unlessMissing))?.Stacks?.[0];

/** The framework returns at the first failure, while CloudFormation still rolls the update back. */
async function untilSettled(client: CloudFormationClient, name: string): Promise<void> {
  while (!isSettled((await describe(client, name))?.StackStatus)) await systemRuntime.sleep(POLL_INTERVAL_MS);
}

async function addressOf(client: CloudFormationClient, name: string): Promise<string> {
  const { Outputs = [] } = (await describe(client, name)) ?? {};
  const found = Outputs.find(({ OutputKey }) => OutputKey === 'ServiceEndpoint')?.OutputValue;
  if (found === undefined) throw new Error(`Stack ${name} has no address`);
  return found;
}

async function main(): Promise<number> {
  const { stage, region, flags, url } = await readSettings();
  const client = new CloudFormationClient({ region });
  const StackName = stackOf(stage);
  const serverless = async (command: string, ...options: string[]): Promise<boolean> => {
    const code = exitCodeOf(WITHOUT_SECRETS, FRAMEWORK, command, '--stage', stage, '--region', region, ...options);
    await untilSettled(client, StackName);
    return code === 0;
  };
  const refused = await refusal(stage);
  if (refused !== undefined) throw new Stop(`Nothing was deployed. ${refused}`);
  await requireCredentials(client.config, 'Nothing was deployed');
  const actions: StageActions = {
    version: async () => versionIn(await templateOf(client, StackName)),
    // By force: tools/deploy/unchanged.ts says what the framework need not send, and why it cannot.
    deploy: () => serverless('deploy', '--force', ...flags),
    test: async () => {
      const address = url ?? (await addressOf(client, StackName));
      return VERDICTS[exitCodeOf(process.env, SMOKE_TEST, address) ?? 2] ?? 'unknown';
    },
    rollback: (version) => serverless('rollback', '--timestamp', version),
  };
  const [isWell, sentence] = await deployTested(stage, actions, systemRuntime);
  // GitHub shows a line that begins like this next to the run.
  const mark = !isWell && optionalVariable('GITHUB_ACTIONS') !== undefined ? '::error::' : '';
  process.stdout.write(`${mark}${sentence}\n`);
  return isWell ? 0 : 1;
}

runMain(main);
