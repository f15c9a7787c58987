/**
 * Sign-in at an issuer of OpenID Connect: the authorization code flow with PKCE, as a public client (RFC 6749, RFC 7636, RFC 9700). This is a
 * file of its own, which is not run before somebody signs in or tokens are renewed.
 */
import * as oauth from 'oauth4webapi';
import type { PageSettings } from '../../settings.ts';
import type { readStored } from './stored.ts';

/** The tokens of a user, and who that is, as the tab stores them. */
export interface Tokens {
  access_token: string;
  refresh_token?: string;
  id_token?: string;
  /** The rights of the first one, with blanks between them. */
  scope: string;
  profile: { sub: string; name: string };
  /** In Unix seconds. Of two the later ones count, also within a second. */
  expires_at: number;
}

/** How long the issuer may take to answer. Requests wait for it. In milliseconds. */
const ISSUER_TIMEOUT_MS = 10_000;

/** So much may the clock of this machine be wrong, in seconds. */
const CLOCK_S = 300;

/**
 * So long lasts a token whose issuer does not say it, which RFC 6749 only recommends: until the service refuses it. A hundred years from its
 * moment, so that a later one counts among tabs. In seconds.
 */
const UNTOLD_S = 100 * 365 * 86_400;

/** The key of a sign-in that has begun, in the storage of the tab. */
const BEGUN = 'sign-in';

/** The values that the end of a sign-in needs from its beginning. */
interface Begun {
  state: string;
  nonce: string;
  verifier: string;
  /** The part of the address behind `#` to which one comes back. */
  view: string;
}

/** The words of the issuer, if it has said why not. */
const reasonOf = (error: unknown): string =>
  error instanceof oauth.AuthorizationResponseError || error instanceof oauth.ResponseBodyError
    ? (error.error_description ?? error.error)
    : (error as Error).message;

/**
 * @param page the address of this page, as the issuer knows it
 * @param stored of the page: a module of both would be a file more
 */
export function openIssuer(
  { clientId, scopes, audience, metadata }: NonNullable<PageSettings['signIn']>,
  page: string,
  stored: typeof readStored,
) {
  const client: oauth.Client = { client_id: clientId, [oauth.clockTolerance]: CLOCK_S };
  const us = [metadata, client, oauth.None()] as const;
  const options = {
    signal: () => AbortSignal.timeout(ISSUER_TIMEOUT_MS),
    // Only the metadata of an issuer whose own address has http, such as one on this machine, has others with http.
    [oauth.allowInsecureRequests]: true,
  };
  // The last two for the name of who signs in.
  const asked = ['openid', 'profile', 'email', ...scopes].join(' ');

  /** A member that the answer lacks stays as it was. */
  const tokensOf = (answer: oauth.TokenEndpointResponse, before: Pick<Tokens, 'scope' | 'profile'>): Tokens => {
    const { access_token, refresh_token, id_token, scope, expires_in = UNTOLD_S } = answer;
    return {
      ...before,
      access_token,
      ...(refresh_token !== undefined && { refresh_token }),
      ...(id_token !== undefined && { id_token }),
      ...(scope !== undefined && { scope }),
      expires_at: Date.now() / 1_000 + expires_in,
    };
  };

  /** @throws what the client throws: the answer is not one to this tab, or not of this issuer */
  async function finish(answer: URL): Promise<{ tokens: Tokens; view: string }> {
    const begun = stored<Begun>(sessionStorage, BEGUN, (found) =>
      [found.state, found.nonce, found.verifier, found.view].every((each) => typeof each === 'string'),
    );
    const { state, nonce = '', verifier = '', view = '' }: Partial<Begun> = begun ?? {};
    sessionStorage.removeItem(BEGUN);
    const granted = oauth.validateAuthResponse(metadata, client, answer, state);
    const response = await oauth.authorizationCodeGrantRequest(...us, granted, page, verifier, options);
    const result = await oauth.processAuthorizationCodeResponse(metadata, client, response, { expectedNonce: nonce });
    const claims = oauth.getValidatedIdTokenClaims(result);
    const { sub = '' } = claims ?? {};
    const name = [claims?.name, claims?.email].find((each) => typeof each === 'string') ?? sub;
    return { tokens: tokensOf(result, { scope: asked, profile: { sub, name } }), view };
  }

  return {
    /** The address where one signs in. @param view to which one comes back */
    async begin(view: string): Promise<string> {
      const begun: Begun = {
        state: oauth.generateRandomState(),
        nonce: oauth.generateRandomNonce(),
        verifier: oauth.generateRandomCodeVerifier(),
        view,
      };
      sessionStorage.setItem(BEGUN, JSON.stringify(begun));
      const url = new URL(metadata.authorization_endpoint);
      const query = {
        response_type: 'code',
        client_id: clientId,
        redirect_uri: page,
        scope: asked,
        audience,
        state: begun.state,
        nonce: begun.nonce,
        code_challenge: await oauth.calculatePKCECodeChallenge(begun.verifier),
        code_challenge_method: 'S256',
      };
      for (const [name, value] of Object.entries(query)) url.searchParams.append(name, value);
      return url.href;
    },

    /**
     * The tokens that an answer of the issuer is good for, and the view of before.
     *
     * @throws {Error} with the words of the issuer, or why its answer is none
     */
    finish: (answer: URL) =>
      finish(answer).catch((error) => {
        throw new Error(reasonOf(error), { cause: error });
      }),

    /** @throws what the client throws: the issuer says no, or nothing, or has tokens of another user */
    async renew(now: Tokens): Promise<Tokens> {
      const more = { ...options, additionalParameters: { scope: now.scope } };
      const response = await oauth.refreshTokenGrantRequest(...us, now.refresh_token ?? '', more);
      const result = await oauth.processRefreshTokenResponse(metadata, client, response);
      const { sub = now.profile.sub } = oauth.getValidatedIdTokenClaims(result) ?? {};
      if (sub !== now.profile.sub) throw new Error('The tokens are of another user');
      return tokensOf(result, now);
    },
  };
}
