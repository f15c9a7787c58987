import { readFileSync } from 'node:fs';
import {
  type CloudFormationClient,
  CloudFormationServiceException,
  CreateStackCommand,
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
async function valuesFor(template: string, stack: Stack | undefined, values: Values): Promise<Parameter[]> {
  const parameters: Record<string, TemplateParameter> = parse(template, { logLevel: 'silent' }).Parameters ?? {};
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

function unlessUnchanged(error: unknown): undefined {
  if (error instanceof CloudFormationServiceException && /No updates are to be performed/.test(error.message)) return;
  throw error;
}

/**
 * Makes a stack of a template, or changes it. A first attempt that fails leaves nothing.
 *
 * @returns the stack
 * @throws {Stop} when a parameter is missing or wrong
 * @throws {Error} when CloudFormation fails, with the reason that it gives
 */
export async function deployTemplate(
  client: CloudFormationClient,
  StackName: string,
  file: string,
  values: Values,
): Promise<Stack | undefined> {
  const TemplateBody = readFileSync(file, 'utf8');
  const stack = await describeStack(client, StackName);
  const Parameters = await valuesFor(TemplateBody, stack, values);
  const input = { StackName, TemplateBody, Parameters, Capabilities: ['CAPABILITY_IAM' as const] };
  const wait = { client, maxWaitTime: MAX_WAIT_SECONDS, minDelay: POLL_SECONDS, maxDelay: POLL_SECONDS };
  if (stack === undefined) {
    await client.send(new CreateStackCommand({ ...input, OnFailure: 'DELETE' }));
    await waitUntilStackCreateComplete(wait, { StackName });
  } else if (await client.send(new UpdateStackCommand(input)).catch(unlessUnchanged)) {
    await waitUntilStackUpdateComplete(wait, { StackName });
  }
  return describeStack(client, StackName);
}
