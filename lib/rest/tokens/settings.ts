import { optionalVariable, requiredVariable } from '../../ground/index.ts';

/** The rules for tokens that are accepted. */
export interface TokenRules {
  /** The issuer's URL, for OpenID Connect Discovery. */
  issuer: string;
  /** One of these must be in the token's `aud`, or be its `client_id` if it has no `aud`. */
  audiences: readonly string[];
  /** The text that the issuer puts before the names of scopes. For Amazon Cognito it is the name of the resource server. */
  scopePrefix: string;
  /** The claim with the name of a caller, for who reads what was changed. Undefined: no name is kept. */
  nameClaim?: string | undefined;
}

/** The value of OIDC_ISSUER that stands for no authentication. */
export const NO_ISSUER = 'none';

/** Whether callers of this deployment need a token. */
export const isProtected = (): boolean => ![undefined, NO_ISSUER].includes(optionalVariable('OIDC_ISSUER'));

/** @throws {Error} when a variable is not set: a fault of the deployment */
export const tokenRules = (): TokenRules => ({
  issuer: requiredVariable('OIDC_ISSUER'),
  audiences: requiredVariable('OIDC_AUDIENCE').split(/[\s,]+/),
  scopePrefix: optionalVariable('OIDC_SCOPE_PREFIX') ?? '',
  nameClaim: optionalVariable('OIDC_NAME_CLAIM'),
});
