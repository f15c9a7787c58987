import { optionalVariable } from '../../lib/runtime.ts';

export const SERVICE = 'user-management';
/** The same as in serverless.yml. */
const DEFAULT_REGION = 'eu-central-1';

export const stackOf = (stage: string): string => `${SERVICE}-${stage}`;

/** The region of a stage, as the framework finds it. */
export const regionOf = (option: string | undefined): string =>
  option ?? optionalVariable('AWS_REGION') ?? DEFAULT_REGION;

/** The framework puts the code of a deployment into a folder with its time, such as 1795000000000-2026-11-18T10:26:40.000Z. */
const FOLDER_OF_VERSION = /\/\d+-(\d{4}-\d\d-\d\dT[\d:.]+Z)\//;

/** The time of the version in a template. */
export const versionIn = (template: string): string | undefined => FOLDER_OF_VERSION.exec(template)?.[1];

/** Whether nothing happens to a stack any more, by its status. A stack in review was never begun, and waits for ever. */
export const isSettled = (status: string | undefined): boolean =>
  status === undefined || status === 'REVIEW_IN_PROGRESS' || !status.endsWith('_IN_PROGRESS');
