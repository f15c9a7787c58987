import { UserManager, WebStorageStateStore } from 'oidc-client-ts';
import type { Scope } from '../../http/routes.ts';
import type { PageSettings } from '../settings.ts';

/** Who uses the page, and what they may do. */
export interface Session {
  /** Whether somebody has signed in, or nobody has to. */
  isOpen: boolean;
  /** Undefined where nobody signs in. */
  name: string | undefined;
  may(scope: Scope): boolean;
  /** The current token. Gets another one shortly before the end of the present one, if the issuer allows it. */
  token(): Promise<string | undefined>;
  /** Absent where nobody can sign in. Leaves this page, and comes back to the same view. */
  signIn?: () => Promise<void>;
  signOut?: () => Promise<void>;
}

/** How long before its end a token is renewed, in seconds. */
const RENEW_BEFORE_S = 30;

const everyone: Session = { isOpen: true, name: undefined, may: () => true, token: async () => undefined };

const nobody = { ...everyone, isOpen: false, may: () => false };

/**
 * Authorization code flow with PKCE (RFC 6749, RFC 7636, RFC 9700). Tokens are in the storage of this tab, which ends with it.
 *
 * @throws {Error} when the issuer has refused to sign somebody in
 */
export async function openSession({ isProtected, signIn }: PageSettings): Promise<Session> {
  if (!isProtected) return everyone;
  if (!signIn) return nobody;
  const { clientId, scopes, scopePrefix, audience, metadata } = signIn;
  const page = location.origin + location.pathname;
  const storage = new WebStorageStateStore({ store: sessionStorage });
  const manager = new UserManager({
    authority: metadata.issuer,
    metadata,
    client_id: clientId,
    redirect_uri: page,
    post_logout_redirect_uri: page,
    scope: ['openid', ...scopes].join(' '),
    extraQueryParams: { audience },
    userStore: storage,
    stateStore: storage,
    automaticSilentRenew: false,
  });

  const query = new URLSearchParams(location.search);
  if (query.has('state')) {
    const answer = location.href;
    // Neither a code nor an error stays in the address bar.
    history.replaceState(null, '', page + location.hash);
    if (query.has('code') || query.has('error')) {
      const { state } = await manager.signinRedirectCallback(answer);
      history.replaceState(null, '', page + (typeof state === 'string' ? state : ''));
    }
  }

  let user = await manager.getUser();
  const isUsable = () => user !== null && user.expired !== true;
  const granted = () => new Set((user?.scopes ?? []).map((scope) => scope.slice(scopePrefix.length)));
  return {
    get isOpen() {
      return isUsable();
    },
    name: user?.profile.name ?? user?.profile.email ?? user?.profile.sub,
    may: (scope) => isUsable() && granted().has(scope),
    async token() {
      const endsSoon = user?.expires_in !== undefined && user.expires_in < RENEW_BEFORE_S;
      if (endsSoon && user?.refresh_token !== undefined) user = await manager.signinSilent().catch(() => user);
      return isUsable() ? user?.access_token : undefined;
    },
    signIn: () => manager.signinRedirect({ state: location.hash }),
    async signOut() {
      if (metadata.end_session_endpoint !== undefined) return manager.signoutRedirect();
      await manager.removeUser();
      location.reload();
    },
  };
}
