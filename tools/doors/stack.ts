import { readFileSync } from 'node:fs';
import {
  type CloudFormationClient,
  CloudFormationServiceException,
  CreateStackCommand,
  DescribeStackResourceCommand,
  DescribeStacksCommand,
  type Parameter,
  type Stack,
  UpdateStackCommand,
  waitUntilStackCreateComplete,
  waitUntilStackUpdateComplete,
} from '@aws-sdk/client-cloudformation';
import { parse } from 'yaml';
import { unlessMissing } from '../deploy/existing.ts';
import { Stop } from '../program/stop.ts';
import { firstFailure } from './failure.ts';

const MAX_WAIT_SECONDS = 1_800;
const POLL_SECONDS = 2;

interface TemplateParameter {
  Default?: unknown;
  NoEcho?: boolean;
  Description?: string;
}

/** The values of parameters, from the places where they may be. */
export interface Values {
  /** The options of the program. */
  given: Record<string, string>;
  /** The program's knowledge of the stage, and the environment. */
  known: Record<string, string | undefined>;
  /** Asks for a secret. Undefined if nobody is there to ask. */
  ask: (name: string, description: string) => Promise<string | undefined>;
}

/** The parameters of a template, by name. */
export const parametersOf = (file: string): Record<string, TemplateParameter> =>
  parse(readFileSync(file, 'utf8'), { logLevel: 'silent' }).Parameters ?? {};

const SECRET = 'is secret, and a command line is not: it is asked for, or is in the environment';

/** A value is told, or the former one, or asked for, or the default of the template: undefined. @throws {Stop} when there is none */
async function valueFor(
  name: string,
  { Default, NoEcho = false, Description = '' }: TemplateParameter,
  isKept: boolean,
  { given, known, ask }: Values,
): Promise<Omit<Parameter, 'ParameterKey'> | undefined> {
  if (NoEcho && given[name] !== undefined) throw new Stop(`${name} ${SECRET}`);
  const told = given[name] ?? known[name];
  if (told !== undefined) return { ParameterValue: told };
  if (isKept) return { UsePreviousValue: true };
  const answer = NoEcho ? await ask(name, Description) : undefined;
  if (answer !== undefined) return { ParameterValue: answer };
  if (Default !== undefined) return undefined;
  throw new Stop(
    NoEcho
      ? `${name} is missing (${Description}). It ${SECRET}`
      : `${name} is missing (${Description}): --set ${name}=…`,
  );
}

/** @throws {Stop} when a value is missing, is a secret on the command line, or is of no parameter */
async function valuesFor(file: string, stack: Stack | undefined, values: Values): Promise<Parameter[]> {
  const parameters = parametersOf(file);
  const stranger = Object.keys(values.given).find((name) => !Object.hasOwn(parameters, name));
  if (stranger !== undefined)
    throw new Stop(`${stranger} is no parameter. There are: ${Object.keys(parameters).join(', ')}`);
  const former = new Set(stack?.Parameters?.map(({ ParameterKey }) => ParameterKey));
  const all: Parameter[] = [];
  // One after another, as some are asked for.
  for (const [ParameterKey, parameter] of Object.entries(parameters)) {
    const value = await valueFor(ParameterKey, parameter, former.has(ParameterKey), values);
    if (value !== undefined) all.push({ ParameterKey, ...value });
  }
  return all;
}

export const describeStack = async (client: CloudFormationClient, StackName: string): Promise<Stack | undefined> =>
  (await client.send(new DescribeStacksCommand({ StackName })).catch(unlessMissing))?.Stacks?.[0];

export const outputOf = (stack: Stack | undefined, name: string): string | undefined =>
  stack?.Outputs?.find(({ OutputKey }) => OutputKey === name)?.OutputValue;

/** The name that a resource of a stack has in AWS. Undefined if there is none. */
export async function resourceOf(
  client: CloudFormationClient,
  StackName: string,
  LogicalResourceId: string,
): Promise<string | undefined> {
  const found = await client
    .send(new DescribeStackResourceCommand({ StackName, LogicalResourceId }))
    .catch(unlessMissing);
  return found?.StackResourceDetail?.PhysicalResourceId;
}

function unlessUnchanged(error: unknown): undefined {
  if (error instanceof CloudFormationServiceException && /No updates are to be performed/.test(error.message)) return;
  throw error;
}

/** Waits for the end of an operation. @throws {Stop} when it fails, with the first reason of CloudFormation */
async function untilEnded(
  client: CloudFormationClient,
  StackName: string,
  StackId: string,
  wait: typeof waitUntilStackCreateComplete,
): Promise<void> {
  const timing = { client, maxWaitTime: MAX_WAIT_SECONDS, minDelay: POLL_SECONDS, maxDelay: POLL_SECONDS };
  await wait(timing, { StackName: StackId }).catch(async ({ name }: Error) => {
    if (name === 'TimeoutError') throw new Stop(`CloudFormation still works on stack ${StackName}, after half an hour`);
    throw new Stop(`Stack ${StackName} was not deployed: ${await firstFailure(client, StackId)}`);
  });
}

/**
 * Makes a stack of a template, or changes it. A first attempt that fails leaves nothing.
 *
 * @param tags of the stack, which CloudFormation gives to all that can have them
 * @returns the stack
 * @throws {Stop} when a parameter is missing or wrong, or when CloudFormation fails, with the reason that it gives
 */
export async function deployTemplate(
  client: CloudFormationClient,
  StackName: string,
  file: string,
  values: Values,
  tags: Record<string, string> = {},
): Promise<Stack | undefined> {
  const TemplateBody = readFileSync(file, 'utf8');
  const stack = await describeStack(client, StackName);
  const Parameters = await valuesFor(file, stack, values);
  const Tags = Object.entries(tags).map(([Key, Value]) => ({ Key, Value }));
  const input = { StackName, TemplateBody, Parameters, Tags, Capabilities: ['CAPABILITY_IAM' as const] };
  if (stack === undefined) {
    const { StackId = StackName } = await client.send(new CreateStackCommand({ ...input, OnFailure: 'DELETE' }));
    await untilEnded(client, StackName, StackId, waitUntilStackCreateComplete);
  } else if (await client.send(new UpdateStackCommand(input)).catch(unlessUnchanged)) {
    await untilEnded(client, StackName, stack.StackId ?? StackName, waitUntilStackUpdateComplete);
  }
  return describeStack(client, StackName);
}
