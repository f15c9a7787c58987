import { createServer } from 'node:http';
import Provider, { interactionPolicy } from 'oidc-provider';
import { close, listen } from '../support/servers.ts';

export const AUDIENCE = 'user-management';
export const CLIENT_ID = 'admin-page';

const RESOURCE = 'urn:user-management';
const SCOPES = 'users:read users:write users:audit';

/** The scopes of a user by their name. Any other name gives all scopes. */
const RIGHTS: Readonly<Record<string, string>> = { reader: 'users:read', nobody: '' };

/** An OpenID Connect issuer on loopback where people sign in, each with any password. */
export async function startSignIn(page: string): Promise<{ url: string; stop(): Promise<void> }> {
  // Nobody is asked for consent.
  const policy = interactionPolicy.base();
  policy.remove('consent');
  const server = createServer((request, response) => respond(request, response));
  const url = await listen(server);
  const provider = new Provider(url, {
    clients: [
      {
        client_id: CLIENT_ID,
        token_endpoint_auth_method: 'none',
        redirect_uris: [page],
        post_logout_redirect_uris: [page],
        grant_types: ['authorization_code', 'refresh_token'],
        response_types: ['code'],
      },
    ],
    interactions: { policy },
    issueRefreshToken: async () => true,
    // A refresh token can be used once. Its second use ends the whole session.
    rotateRefreshToken: true,
    clientBasedCORS: (_context, origin) => origin === new URL(page).origin,
    features: {
      devInteractions: { enabled: true },
      rpInitiatedLogout: { enabled: true },
      resourceIndicators: {
        enabled: true,
        defaultResource: () => RESOURCE,
        useGrantedResource: () => true,
        getResourceServerInfo: () => ({
          scope: SCOPES,
          audience: AUDIENCE,
          accessTokenFormat: 'jwt',
          // So short that every request renews the token.
          accessTokenTTL: 25,
          jwt: { sign: { alg: 'RS256' } },
        }),
      },
    },
    findAccount: (_context, accountId) => ({
      accountId,
      claims: () => ({ sub: accountId }),
    }),
    async loadExistingGrant({ oidc }) {
      const accountId = oidc.session?.accountId ?? '';
      const grant = new oidc.provider.Grant({ clientId: CLIENT_ID, accountId });
      grant.addOIDCScope('openid');
      grant.addResourceScope(RESOURCE, RIGHTS[accountId] ?? SCOPES);
      await grant.save();
      return grant;
    },
  });
  const respond = provider.callback();
  return { url, stop: () => close(server) };
}
