/**
 * The tabs of one browser that have this page, which share one sign-in: a refresh token is used once, and its second use, or a second sign-in, may
 * end all of them (RFC 9700, section 4.14.2). So a new tab takes over the tokens of another one, and one tab renews them for all.
 */

/** How long other tabs may take to say what they have. One that sleeps says nothing. In milliseconds. */
const ANSWER_MS = 300;

type Message = { kind: 'asks' } | { kind: 'has'; tokens: string | undefined } | { kind: 'gone' };

interface Listener {
  /** The tokens of this tab. Undefined: nobody is signed in here. */
  tokens(): string | undefined;
  onTokens(tokens: string): void;
  onGone(): void;
}

const locks = (): LockManager | undefined => navigator.locks;

/** Runs it while no other tab does so. A page that comes over http has no locks. */
export async function alone(name: string, run: () => Promise<void>): Promise<void> {
  const all = locks();
  await (all ? all.request(name, run) : run());
}

/** @param name what the tabs have in common */
export function openTabs(name: string, { tokens, onTokens, onGone }: Listener) {
  const channel = new BroadcastChannel(name);
  const post = (message: Message) => channel.postMessage(message);
  const tell = () => post({ kind: 'has', tokens: tokens() });
  channel.onmessage = ({ data }: MessageEvent<Message>) => {
    if (data.kind === 'asks') tell();
    if (data.kind === 'gone') onGone();
    if (data.kind === 'has' && data.tokens !== undefined) onTokens(data.tokens);
  };

  // Held for as long as the tab has this page: so each knows how many others there are.
  const tab = `${name} tab`;
  locks()?.request(tab, { mode: 'shared' }, () => new Promise(() => undefined));
  async function others(): Promise<number> {
    const { held = [] } = (await locks()?.query()) ?? {};
    return Math.max(held.filter((lock) => lock.name === tab).length - 1, 0);
  }

  return {
    tell,
    /** Resolves when other tabs have said what they have, or if there is none, or if they say nothing. */
    async ask(): Promise<void> {
      let left = locks() ? await others() : 1;
      if (left === 0) return;
      await new Promise<void>((resolve) => {
        const signal = AbortSignal.timeout(ANSWER_MS);
        signal.onabort = () => resolve();
        // After the listener above, which takes the tokens over.
        const count = ({ data }: MessageEvent<Message>) => {
          if (data.kind === 'has') left--;
          if (left === 0) resolve();
        };
        channel.addEventListener('message', count, { signal });
        post({ kind: 'asks' });
      });
    },
    /** Ends the sign-in of all tabs. */
    end(): void {
      post({ kind: 'gone' });
      channel.close();
    },
  };
}
