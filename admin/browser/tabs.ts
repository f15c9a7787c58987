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
  /** Those who wait for what others have. */
  const waiting = new Set<() => void>();
  channel.onmessage = ({ data }: MessageEvent<Message>) => {
    if (data.kind === 'asks') tell();
    if (data.kind === 'gone') onGone();
    if (data.kind !== 'has') return;
    if (data.tokens !== undefined) onTokens(data.tokens);
    for (const heard of waiting) heard();
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
      const count = locks() ? await others() : 1;
      if (count === 0) return;
      let answers = 0;
      await new Promise<void>((resolve) => {
        const heard = () => {
          answers++;
          if (answers >= count) done();
        };
        const done = () => {
          clearTimeout(timer);
          waiting.delete(heard);
          resolve();
        };
        const timer = setTimeout(done, ANSWER_MS);
        waiting.add(heard);
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
