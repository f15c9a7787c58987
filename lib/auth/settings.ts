import { optionalVariable } from '../runtime.ts';

/** Whether callers of this deployment need a token. */
export const isProtected = (): boolean => optionalVariable('OIDC_ISSUER') !== undefined;
