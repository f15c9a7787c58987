import { User, UserManager, WebStorageStateStore } from 'oidc-client-ts';
import type { Scope } from '../../lib/http/routes.ts';
import type { PageSettings } from '../settings.ts';
import { alone, openTabs } from './tabs.ts';

export const settings: PageSettings = JSON.parse(document.getElementById('settings')?.textContent ?? '');

/** How long before its end a token is renewed, in seconds. */
const RENEW_BEFORE_S = 30;

/** How long the issuer may take to answer. Requests wait for it. In seconds. */
const ISSUER_TIMEOUT_S = 10;

/**
 * The user of the page, and the rights of their token: authorization code flow with PKCE (RFC 6749, RFC 7636, RFC 9700). Tokens are in the storage of
 * this tab, which ends with it. All tabs have the same ones.
 */
async function openSession({ api, isProtected, signIn }: PageSettings) {
  if (!isProtected || !signIn) {
    return {
      isOpen: () => !isProtected,
      may: (_: Scope) => !isProtected,
      token: async () => undefined,
      name: undefined,
    };
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
  const leave = () => {
    return manager.signinRedirect({ state: location.hash });
  };

  let user: User | null = null;

  /** Keeps new tokens, with their end in milliseconds: the later ones are those that count, also within a second. */
  async function stamp(fresh: User): Promise<void> {
    fresh.expires_at = Date.now() / 1_000 + (fresh.expires_in ?? 0);
    user = fresh;
    await manager.storeUser(fresh);
  }

  let refusal: Error | undefined;
  const query = new URLSearchParams(location.search);
  const isBack = query.has('code') || query.has('error');
  if (isBack) {
    const answer = location.href;
    // Neither a code nor an error stays in the address bar.
    history.replaceState(null, '', page + location.hash);
    try {
      const signedIn = await manager.signinRedirectCallback(answer);
      await stamp(signedIn);
      const { state } = signedIn;
      history.replaceState(null, '', page + (typeof state === 'string' ? state : ''));
    } catch (error) {
      refusal = error as Error;
    }
  }

  user ??= await manager.getUser();
  let isShown = false;
  const isUsable = () => user !== null && user.expired !== true;

  /** Takes over what another tab has, if it is of the same user and lasts longer. */
  async function takeOver(tokens: string): Promise<void> {
    const theirs = User.fromStorageString(tokens);
    const isOther = user !== null && user.profile.sub !== theirs.profile.sub;
    if (isOther || refusal || (theirs.expires_at ?? 0) <= (user?.expires_at ?? 0)) return;
    const isFirst = user === null;
    user = theirs;
    await manager.storeUser(theirs);
    if (isFirst && isShown) location.reload();
  }
  const tabs = openTabs(`session ${page}`, {
    tokens: () => (isUsable() || user?.refresh_token !== undefined ? user?.toStorageString() : undefined),
    onTokens: takeOver,
    onGone: () => void manager.removeUser().then(() => location.reload()),
  });
  if (user === null) await tabs.ask();
  else if (isBack) tabs.tell();
  isShown = true;

  const isNearEnd = () => user?.refresh_token !== undefined && (user.expires_in ?? Infinity) < RENEW_BEFORE_S;

  /** One renewal at a time, in all tabs. Another one may have renewed the tokens while this one waited. */
  const renewAlone = () =>
    alone(`renewal ${page}`, async () => {
      const before = user?.refresh_token;
      await tabs.ask();
      if (user?.refresh_token !== before || !isNearEnd()) return;
      // Without the option a renewal has no limit.
      const renewed = await manager.signinSilent({ silentRequestTimeoutInSeconds: ISSUER_TIMEOUT_S }).catch(() => null);
      if (renewed) await stamp(renewed);
      tabs.tell();
    });
  let renewing: Promise<void> | undefined;
  async function renew(): Promise<void> {
    await renewAlone();
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
      if (isNearEnd()) {
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
      tabs.end();
      // Amazon Cognito wants these two in place of the standard's parameters. Where an issuer ends no session, only the tokens are gone.
      const extraQueryParams = { client_id: clientId, logout_uri: page };
      await manager.signoutRedirect({ extraQueryParams }).catch(() => location.reload());
    },
  };
}

export const session = await openSession(settings);

export const { may } = session;
