import { optionalVariable } from '../../lib/runtime.ts';

export const SERVICE = 'user-management';
/** The same as in serverless.yml. */
const DEFAULT_REGION = 'eu-central-1';

export const stackOf = (stage: string): string => `${SERVICE}-${stage}`;

/** The region of a stage, as the framework finds it. */
export const regionOf = (option: string | undefined): string =>
  option ?? optionalVariable('AWS_REGION') ?? DEFAULT_REGION;
