import createClient from 'openapi-fetch';
import type { paths } from '../../../docs/openapi.d.ts';
import { systemRuntime } from '../../runtime.ts';
import { ClientRefused, findToken } from '../operations/token.ts';
import { reasonOf, Stop } from './stop.ts';

/** Sends the requests of a run, each with the current token. */
export type Client = ReturnType<typeof createClient<paths>>;

export interface Connection {
  client: Client;
  /** The current token, if any. */
  token(): string | undefined;
  /**
   * Gets another token after one was refused: an import may last longer than a token.
   *
   * @throws {Stop} when there is no other token
   */
  renew(refused: string | undefined): Promise<void>;
}

/** An issuer that does not respond is asked again. All pauses together are half a minute. */
const TOKEN_TRIES = 6;
const FIRST_PAUSE_MS = 1_000;

/** Connects with a given token, with tokens from the environment, or without a token. `option` names the option of the token. */
export async function connect(
  url: string,
  given?: string,
  option = '--token',
  sleep = systemRuntime.sleep,
): Promise<Connection> {
  let token = given ?? (await findToken());
  let renewal: Promise<void> | undefined;
  const client = createClient<paths>({ baseUrl: url });
  client.use({
    onRequest({ request }) {
      if (token !== undefined) request.headers.set('authorization', `Bearer ${token}`);
    },
  });
  const findAnother = async () => {
    for (let tries = 1; ; tries++) {
      try {
        return await findToken();
      } catch (error) {
        if (tries === TOKEN_TRIES || error instanceof ClientRefused)
          throw new Stop(`There is no other token: ${reasonOf(error)}`);
        await sleep(FIRST_PAUSE_MS * 2 ** (tries - 1));
      }
    }
  };
  const getAnother = async () => {
    const another = given ?? (await findAnother());
    if (another === undefined) throw new Stop(`The service asks for a token: give it one with ${option}`);
    if (another === token) throw new Stop('The service refuses the token: get another one, and run this again');
    token = another;
  };
  return {
    client,
    token: () => token,
    async renew(refused) {
      // Several requests may be refused at the same time. The first of them gets the new token for all.
      if (token !== refused) return;
      renewal ??= getAnother().finally(() => {
        renewal = undefined;
      });
      await renewal;
    },
  };
}
