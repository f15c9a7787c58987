import { optionalVariable, requiredVariable } from '../runtime.ts';

/** Whose tokens are accepted, and which. */
export interface TokenRules {
  /** The issuer's URL, as OpenID Connect Discovery knows it. */
  issuer: string;
  /** What tokens are made out to: one of these is their `aud`, or their `client_id` if the issuer gives no `aud`. */
  audiences: readonly string[];
  /** What the issuer puts before the names of scopes; Amazon Cognito puts the name of the resource server. */
  scopePrefix: string;
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
});
