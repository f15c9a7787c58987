import type { User } from 'oidc-client-ts';
import type { Scope } from '../../lib/http/routes.ts';
import type { PageSettings } from '../settings.ts';
import { alone, openTabs } from './tabs.ts';

export const settings: PageSettings = JSON.parse(document.getElementById('settings')?.textContent ?? '');

/** How long before its end a token is renewed, in seconds. */
const RENEW_BEFORE_S = 30;

/** The key of the tokens in the storage of the tab. */
const USER = 'user';

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
      subject: undefined,
    };
  }
  const oidc = await import('./oidc.ts');
  const { clientId, scopes, scopePrefix, audience, metadata } = signIn;
  // As the issuer knows it, also where the address has a slash more.
  const page = `${location.origin}${api}/admin`;
  // Its UserManager would bring frames and pop-ups, which the page does not open.
  const client = new oidc.OidcClient({
    authority: metadata.issuer,
    metadata,
    client_id: clientId,
    redirect_uri: page,
    post_logout_redirect_uri: page,
    // The last two for the name of who signs in.
    scope: ['openid', 'profile', 'email', ...scopes].join(' '),
    extraQueryParams: { audience },
    stateStore: new oidc.WebStorageStateStore({ store: sessionStorage }),
    requestTimeoutInSeconds: ISSUER_TIMEOUT_S,
  });
  /** Leaves this page, and comes back to the same view. */
  const leave = async () => {
    const { url } = await client.createSigninRequest({ state: location.hash });
    location.assign(url);
  };

  let user: User | null = null;

  function store(other: User): void {
    user = other;
    sessionStorage.setItem(USER, other.toStorageString());
  }

  /** Keeps new tokens, with their end in milliseconds: the later ones are those that count, also within a second. */
  function stamp(fresh: User): void {
    fresh.expires_at = Date.now() / 1_000 + (fresh.expires_in ?? 0);
    store(fresh);
  }

  let refusal: Error | undefined;
  const query = new URLSearchParams(location.search);
  const isBack = query.has('code') || query.has('error');
  if (isBack) {
    const answer = location.href;
    // Neither a code nor an error stays in the address bar.
    history.replaceState(null, '', page + location.hash);
    try {
      const signedIn = await client.processSigninResponse(answer);
      stamp(new oidc.User(signedIn));
      const { userState: state } = signedIn;
      history.replaceState(null, '', page + (typeof state === 'string' ? state : ''));
    } catch (error) {
      refusal = error as Error;
    }
  }

  const stored = sessionStorage.getItem(USER);
  if (user === null && stored !== null) user = oidc.User.fromStorageString(stored);
  let isShown = false;
  const isUsable = () => user !== null && user.expired !== true;

  /** Takes over what another tab has, if it is of the same user and lasts longer. */
  function takeOver(tokens: string): void {
    const theirs = oidc.User.fromStorageString(tokens);
    const isOther = user !== null && user.profile.sub !== theirs.profile.sub;
    if (isOther || refusal || (theirs.expires_at ?? 0) <= (user?.expires_at ?? 0)) return;
    const isFirst = user === null;
    store(theirs);
    if (isFirst && isShown) location.reload();
  }
  const tabs = openTabs(`session ${page}`, {
    tokens: () => (isUsable() || user?.refresh_token !== undefined ? user?.toStorageString() : undefined),
    onTokens: takeOver,
    onGone: () => {
      // Until it is left, this page may still be asked by another tab.
      user = null;
      sessionStorage.removeItem(USER);
      location.reload();
    },
  });
  if (user === null) await tabs.ask();
  else if (isBack) tabs.tell();
  isShown = true;

  const isNearEnd = () => user?.refresh_token !== undefined && (user.expires_in ?? Infinity) < RENEW_BEFORE_S;

  /** @throws what the client throws: the issuer says no, or nothing */
  async function refresh(now: User): Promise<void> {
    const { refresh_token = '', id_token, session_state, scope = '', profile } = now;
    const state = { refresh_token, session_state, scope, profile, ...(id_token !== undefined && { id_token }) };
    // Without the option a renewal has no limit.
    const response = await client.useRefreshToken({ state, timeoutInSeconds: ISSUER_TIMEOUT_S });
    stamp(new oidc.User({ ...state, ...response }));
  }

  /** One renewal at a time, in all tabs. Another one may have renewed the tokens while this one waited. */
  const renewAlone = () =>
    alone(`renewal ${page}`, async () => {
      const before = user?.refresh_token;
      await tabs.ask();
      if (user?.refresh_token !== before || !isNearEnd()) return;
      if (user) await refresh(user).catch(() => undefined);
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
    /** Absent where nobody signs in. */
    subject: user?.profile.sub,
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
      sessionStorage.removeItem(USER);
      const leaving = client.createSignoutRequest({
        ...(user?.id_token && { id_token_hint: user.id_token }),
        extraQueryParams,
      });
      await leaving.then(({ url }) => location.assign(url)).catch(() => location.reload());
    },
  };
}

export const session = await openSession(settings);

export const { may } = session;
