import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { CloudFormationClient } from '@aws-sdk/client-cloudformation';
import { EventBridgeClient } from '@aws-sdk/client-eventbridge';
import { optionalVariable } from '../../lib/ground/index.ts';
import { NO_ISSUER } from '../../lib/rest/tokens/index.ts';
import { findRegion } from '../deploy/region.ts';
import { requireCredentials } from '../operate/credentials.ts';
import { stackOf, tagsOf } from '../operate/stages.ts';
import { askSecretly } from '../program/askSecretly.ts';
import { required } from '../program/options.ts';
import { Stop } from '../program/stop.ts';
import type { DoorFolder } from './doors.ts';
import { requireBus } from './needs.ts';
import { addressIn, checkName, type DoorOptions, parametersIn, USAGE, urlIn } from './options.ts';
import { runFramework } from './packaging.ts';
import { deployTemplate, describeStack, outputOf, parametersOf, resourceOf, type Values } from './stack.ts';

const SECRET_TEMPLATE = join(import.meta.dirname, '../../doors/secret.yml');

/** Values of parameters of serverless.yml of doors, for a build without a stage. */
const NOWHERE = {
  url: 'https://users.example.com',
  to: 'https://example.com/users',
  secret: 'arn:aws:secretsmanager:eu-central-1:123456789012:secret:door-AbCdEf',
};

/** Builds what would be deployed of a door. @returns the folder */
export async function buildDoor(door: DoorFolder, options: DoorOptions = {}): Promise<string> {
  if (!door.isCoded)
    throw new Stop(`Door ${door.name} is a template, and nothing to build: doors/${door.name}/template.yml`);
  const to = addressIn(door, { ...options, ...(door.isFollower && { to: options.to ?? NOWHERE.to }) });
  const parameters = { ...NOWHERE, url: urlIn(options) ?? NOWHERE.url, ...(to && { to }), ...parametersIn(options) };
  checkName(options);
  const deployment = {
    as: options.as,
    stage: options.stage ?? 'dev',
    region: await findRegion(options.region),
    parameters,
  };
  return runFramework('package', door, deployment);
}

/** The values of parameters that can be known, by the names that templates give them. */
function knownOf(stage: string, url: string | undefined): Values['known'] {
  const [Issuer, Client, Audience] = ['OIDC_ISSUER', 'OIDC_CLIENT_ID', 'OIDC_AUDIENCE'].map(optionalVariable);
  const prefix = optionalVariable('OIDC_SCOPE_PREFIX');
  const secret = Issuer === NO_ISSUER ? '' : optionalVariable('OIDC_CLIENT_SECRET');
  return {
    Stage: stage,
    Bus: stackOf(stage),
    Table: `${stackOf(stage)}-users`,
    Service: url,
    Issuer,
    Client,
    Audience,
    Scope: prefix && `${prefix}users:read ${prefix}users:write`,
    Secret: secret,
    ClientSecret: secret,
    Boundary: optionalVariable('DOOR_BOUNDARY'),
  };
}

const ask: Values['ask'] = async (name, description) =>
  optionalVariable(`DOOR_${name.toUpperCase()}`) ?? askSecretly(`${name} (${description})`);

interface Place {
  client: CloudFormationClient;
  stage: string;
  region: string;
  url: string | undefined;
}

const say = (sentence: string) => process.stdout.write(`${sentence}\n`);

async function deployTemplated(
  door: DoorFolder,
  { as = door.name, ...options }: DoorOptions,
  place: Place,
): Promise<void> {
  const { client, stage, region, url } = place;
  const file = door.file('template.yml');
  const given = parametersIn(options);
  const bus = given.Bus ?? stackOf(stage);
  if ('Bus' in parametersOf(file)) await requireBus(new EventBridgeClient({ region }), { door: door.name, stage, bus });
  const known = { ...knownOf(stage, url), AlarmTopic: await resourceOf(client, stackOf(stage), 'AlarmTopic') };
  const name = `${stackOf(stage)}-${as}`;
  const stack = await deployTemplate(client, name, file, { given, known, ask }, tagsOf(stage));
  for (const { Description, OutputValue } of stack?.Outputs ?? []) say(`${Description}: ${OutputValue}`);
  say(`Door ${door.name} is deployed beside stage ${stage}.`);
}

/** Deploys the secret of a door, by a template of its own where it has one. @returns its ARN */
async function deploySecret({ file }: DoorFolder, name: string, place: Place): Promise<string | undefined> {
  const { client, stage, url } = place;
  const own = file('secret.yml');
  const template = existsSync(own) ? own : SECRET_TEMPLATE;
  const values = { given: {}, known: knownOf(stage, url), ask };
  return outputOf(await deployTemplate(client, `${name}-secret`, template, values, tagsOf(stage)), 'Secret');
}

async function deployCoded(door: DoorFolder, options: DoorOptions, place: Place): Promise<void> {
  const { client, stage, region, url } = place;
  const { as = door.name } = options;
  const name = `${stackOf(stage)}-${as}`;
  if (url === undefined) throw new Stop(`There is no stage ${stage} in ${region}: name the service with --url`);
  const to = addressIn(door, options);
  const AlarmTopic = await resourceOf(client, stackOf(stage), 'AlarmTopic');
  const secret = door.takes('secret') ? await deploySecret(door, name, place) : undefined;
  const known = { url, to, secret, AlarmTopic };
  const parameters = Object.fromEntries(
    Object.entries(known).flatMap(([each, value]) => (value && door.takes(each) ? [[each, value]] : [])),
  );
  await runFramework('deploy', door, { stage, region, as, parameters: { ...parameters, ...parametersIn(options) } });
  const address = to ?? outputOf(await describeStack(client, name), 'HttpApiUrl');
  say(`Door ${door.name} is deployed beside stage ${stage}${to ? ', and sends to' : ':'} ${address}`);
  if (secret && !to) say(`Its token: aws secretsmanager get-secret-value --region ${region} --secret-id ${secret}`);
}

/** Deploys a door beside a stage, in a stack of its own. */
export async function deployDoor(door: DoorFolder, options: DoorOptions): Promise<number> {
  if (options.token !== undefined)
    throw new Stop('--token is refused here: AWS makes the token of a door, and Secrets Manager keeps it');
  if (options.secret !== undefined)
    throw new Stop('--secret is refused here: a command line is not secret. It is asked for, or is in DOOR_KEY');
  parametersIn(options);
  addressIn(door, options);
  checkName(options);
  const stage = required('--stage', options.stage, USAGE);
  const region = await findRegion(options.region);
  const client = new CloudFormationClient({ region });
  await requireCredentials(client.config, 'Nothing was deployed');
  const url = urlIn(options) ?? outputOf(await describeStack(client, stackOf(stage)), 'ServiceEndpoint');
  await (door.isCoded ? deployCoded : deployTemplated)(door, options, { client, stage, region, url });
  return 0;
}
