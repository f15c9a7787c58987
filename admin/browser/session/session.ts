import type { Scope } from '../../../lib/http/routes.ts';
import type { PageSettings } from '../../settings.ts';
import type { Tokens } from './oidc.ts';
import { areTexts, readStored } from './stored.ts';
import { alone, openTabs } from './tabs.ts';

export const settings: PageSettings = JSON.parse(document.getElementById('settings')?.textContent ?? '');

/** How long before its end a token is renewed, in seconds. */
const RENEW_BEFORE_S = 30;

/** The key of the tokens in the storage of the tab. */
const USER = 'user';

/** The user of the page, and the rights of their token. Tokens are in the storage of this tab, which ends with it. All tabs have the same ones. */
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
  const { clientId, scopes, scopePrefix, metadata } = signIn;
  // As the issuer knows it, also where the address has a slash more.
  const page = `${location.origin}${api}/admin`;
  const issuer = async () => (await import('./oidc.ts')).openIssuer(signIn, page, readStored);

  let user: Tokens | undefined;

  function store(tokens: Tokens): void {
    user = tokens;
    sessionStorage.setItem(USER, JSON.stringify(tokens));
  }

  let refusal: Error | undefined;
  const query = new URLSearchParams(location.search);
  const isBack = query.has('code') || query.has('error');
  if (isBack) {
    const answer = new URL(location.href);
    // Neither a code nor an error stays in the address bar.
    history.replaceState(null, '', page + location.hash);
    try {
      const { tokens, view } = await (await issuer()).finish(answer);
      store(tokens);
      history.replaceState(null, '', page + view);
    } catch (error) {
      refusal = error as Error;
    }
  }

  user ??= readStored<Tokens>(
    sessionStorage,
    USER,
    ({ access_token, scope, profile: { sub, name }, expires_at }) =>
      areTexts(access_token, scope, sub, name) && typeof expires_at === 'number',
  );
  let isShown = false;
  const secondsLeft = () => (user?.expires_at ?? 0) - Date.now() / 1_000;
  const isUsable = () => secondsLeft() > 0;
  const grants = () => user?.scope.split(' ') ?? [];

  /** Takes over what another tab has, if it is of the same user and lasts longer. */
  function takeOver(tokens: string): void {
    const theirs: Tokens = JSON.parse(tokens);
    const isOther = user !== undefined && user.profile.sub !== theirs.profile.sub;
    if (isOther || refusal || theirs.expires_at <= (user?.expires_at ?? 0)) return;
    const isFirst = user === undefined;
    store(theirs);
    if (isFirst && isShown) location.reload();
  }
  const tabs = openTabs(`session ${page}`, {
    tokens: () => (isUsable() || user?.refresh_token !== undefined ? JSON.stringify(user) : undefined),
    onTokens: takeOver,
    onGone: () => {
      // Until it is left, this page may still be asked by another tab.
      user = undefined;
      sessionStorage.removeItem(USER);
      location.reload();
    },
  });
  if (user === undefined) await tabs.ask();
  else if (isBack) tabs.tell();
  isShown = true;

  /** A token that the service has refused, however long it should last. */
  let refused: string | undefined;
  const isNearEnd = () =>
    user?.refresh_token !== undefined && (secondsLeft() < RENEW_BEFORE_S || user.access_token === refused);

  const renewed = async (now: Tokens) => (await issuer()).renew(now);

  /** One renewal at a time, in all tabs. Another one may have renewed the tokens while this one waited. */
  const renewAlone = () =>
    alone(`renewal ${page}`, async () => {
      const before = user?.refresh_token;
      await tabs.ask();
      if (user?.refresh_token !== before || !isNearEnd()) return;
      // Somebody may have signed out meanwhile. Without new tokens the present ones are used to their end.
      if (user)
        await renewed(user).then(
          (tokens) => user && store(tokens),
          () => undefined,
        );
      refused = undefined;
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
    name: user?.profile.name ?? user?.profile.sub,
    /** Absent where nobody signs in. */
    subject: user?.profile.sub,
    rights: scopes.filter((scope) => grants().includes(scope)).join(' '),
    /** Why nobody could be signed in. */
    refusal,
    // Rights do not end with a token: a request gets another one, or says that one must sign in.
    may: (scope: Scope) => grants().includes(scopePrefix + scope),
    /** The current token. Gets another one shortly before the end of the present one, or after its refusal, if the issuer allows it. */
    async token(spent?: string) {
      refused = spent ?? refused;
      if (isNearEnd()) {
        renewing ??= renew();
        await renewing;
      }
      return isUsable() ? user?.access_token : undefined;
    },
    /** Leaves this page, and comes back to the same view. Absent where nobody can sign in. */
    signIn: async () => location.assign(await (await issuer()).begin(location.hash)),
    async signOut() {
      // Going back may show this page as it was left, from the memory of the browser.
      addEventListener('pageshow', ({ persisted }) => persisted && location.reload());
      document.body.replaceChildren();
      tabs.end();
      const { id_token = '' } = user ?? {};
      user = undefined;
      sessionStorage.removeItem(USER);
      // Where an issuer ends no session, only the tokens are gone.
      if (!metadata.end_session_endpoint) return location.reload();
      const url = new URL(metadata.end_session_endpoint);
      const query = {
        ...(id_token !== '' && { id_token_hint: id_token }),
        post_logout_redirect_uri: page,
        // Amazon Cognito wants these two in place of the standard's parameters.
        client_id: clientId,
        logout_uri: page,
      };
      for (const [name, value] of Object.entries(query)) url.searchParams.append(name, value);
      location.assign(url);
    },
  };
}

export const session = await openSession(settings);

export const { may } = session;
