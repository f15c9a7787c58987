import { UserManager, WebStorageStateStore } from 'oidc-client-ts';
import type { Scope } from '../../lib/http/routes.ts';
import type { PageSettings } from '../settings.ts';

export const settings: PageSettings = JSON.parse(document.getElementById('settings')?.textContent ?? '');

/** How long before its end a token is renewed, in seconds. */
const RENEW_BEFORE_S = 30;

/** How long the issuer may take to answer. Requests wait for it. In seconds. */
const ISSUER_TIMEOUT_S = 10;

/**
 * The user of the page, and the rights of their token: authorization code flow with PKCE (RFC 6749, RFC 7636, RFC 9700). Tokens are in the storage of
 * this tab, which ends with it.
 */
async function openSession({ api, isProtected, signIn }: PageSettings) {
  if (!isProtected || !signIn) {
    return { isOpen: () => !isProtected, may: (_: Scope) => !isProtected, token: async () => undefined };
  }
  const { clientId, scopes, scopePrefix, audience, metadata } = signIn;
  // As the issuer knows it, also where the address has a slash more.
  const page = `${location.origin}${api}/admin`;
  const storage = new WebStorageStateStore({ store: sessionStorage });
  const manager = new UserManager({
    authority: metadata.issuer,
    metadata,
    client_id: clientId,
    redirect_uri: page,
    post_logout_redirect_uri: page,
    // The last two for the name of who signs in.
    scope: ['openid', 'profile', 'email', ...scopes].join(' '),
    extraQueryParams: { audience },
    userStore: storage,
    stateStore: storage,
    automaticSilentRenew: false,
    requestTimeoutInSeconds: ISSUER_TIMEOUT_S,
  });
  /** Leaves this page, and comes back to the same view. */
  const leave = () => manager.signinRedirect({ state: location.hash });

  let refusal: Error | undefined;
  const query = new URLSearchParams(location.search);
  if (query.has('code') || query.has('error')) {
    const answer = location.href;
    // Neither a code nor an error stays in the address bar.
    history.replaceState(null, '', page + location.hash);
    try {
      const { state } = await manager.signinRedirectCallback(answer);
      history.replaceState(null, '', page + (typeof state === 'string' ? state : ''));
    } catch (error) {
      refusal = error as Error;
    }
  }

  let user = await manager.getUser();
  const isUsable = () => user !== null && user.expired !== true;
  // Another tab says whether somebody is signed in there: then the issuer knows them, and gives this one tokens of its own.
  const tabs = new BroadcastChannel(`session ${page}`);
  tabs.onmessage = ({ data }) => {
    if (data === 'who?' && isUsable()) tabs.postMessage('somebody');
    // The issuer would refuse the same user again.
    if (data === 'somebody' && user === null && !refusal) leave();
    if (data === 'gone') manager.removeUser().then(() => location.reload());
  };
  if (user === null) tabs.postMessage('who?');

  /** One renewal at a time: a refresh token that is used twice may end all of them (RFC 9700, section 4.14.2). */
  let renewing: Promise<void> | undefined;
  async function renew(): Promise<void> {
    // Without the option a renewal has no limit.
    user = await manager.signinSilent({ silentRequestTimeoutInSeconds: ISSUER_TIMEOUT_S }).catch(() => user);
    renewing = undefined;
  }

  return {
    /** Whether somebody has signed in, or nobody has to. */
    isOpen: isUsable,
    /** Absent where nobody signs in. */
    name: user?.profile.name ?? user?.profile.email ?? user?.profile.sub,
    rights: scopes.filter((scope) => user?.scopes.includes(scope)).join(' '),
    /** Why nobody could be signed in. */
    refusal,
    // Rights do not end with a token: a request gets another one, or says that one must sign in.
    may: (scope: Scope) => user?.scopes.includes(scopePrefix + scope) ?? false,
    /** The current token. Gets another one shortly before the end of the present one, if the issuer allows it. */
    async token() {
      if (user?.refresh_token !== undefined && (user.expires_in ?? Infinity) < RENEW_BEFORE_S) {
        renewing ??= renew();
        await renewing;
      }
      return isUsable() ? user?.access_token : undefined;
    },
    /** Absent where nobody can sign in. */
    signIn: leave,
    async signOut() {
      // Going back may show this page as it was left, from the memory of the browser.
      addEventListener('pageshow', ({ persisted }) => persisted && location.reload());
      document.body.replaceChildren();
      tabs.postMessage('gone');
      tabs.close();
      // Amazon Cognito wants these two in place of the standard's parameters. Where an issuer ends no session, only the tokens are gone.
      const extraQueryParams = { client_id: clientId, logout_uri: page };
      await manager.signoutRedirect({ extraQueryParams }).catch(() => location.reload());
    },
  };
}

export const session = await openSession(settings);

export const { may } = session;
