import { readFileSync } from 'node:fs';
import { parse } from 'yaml';
import { required } from '../program/options.ts';
import { Stop } from '../program/stop.ts';

const SERVICE = 'user-management';

export const stackOf = (stage: string): string => `${SERVICE}-${stage}`;

/** The name of a stage, as CloudFormation takes it in that of a stack. @throws {Stop} when it is none */
export function readStage(given: string | undefined, usage: string): string {
  const stage = required('--stage', given, usage);
  if (!/^[A-Za-z\d][A-Za-z\d-]{0,63}$/.test(stage))
    throw new Stop(`${stage} is no name of a stage: letters, digits and -`);
  return stage;
}

/**
 * The tags of all that belongs to a stage, with the keys that serverless.yml gives. The framework writes STAGE so, and IAM takes no second
 * key that differs only by capitals.
 */
export const tagsOf = (stage: string): Record<string, string> => ({ STAGE: stage, service: SERVICE });

/** Whether a stage may be open to everyone, as serverless.yml says. */
export function mayBeOpen(stage: string): boolean {
  const file = readFileSync(`${import.meta.dirname}/../../serverless.yml`, 'utf8');
  const { params } = parse(file, { logLevel: 'silent' }) as { params: Record<string, { mayBeOpen?: boolean }> };
  return params[stage]?.mayBeOpen ?? params.default?.mayBeOpen ?? false;
}

/** The framework puts the code of a deployment into a folder with its time, such as 1795000000000-2026-11-18T10:26:40.000Z. */
const FOLDER_OF_VERSION = /\/\d+-(\d{4}-\d\d-\d\dT[\d:.]+Z)\//;

/** The time of the version in a template. */
export const versionIn = (template: string): string | undefined => FOLDER_OF_VERSION.exec(template)?.[1];

/** Whether nothing happens to a stack any more, by its status. A stack in review was never begun, and waits for ever. */
export const isSettled = (status: string | undefined): boolean =>
  status === undefined || status === 'REVIEW_IN_PROGRESS' || !status.endsWith('_IN_PROGRESS');
