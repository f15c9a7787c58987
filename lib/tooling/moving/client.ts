import createClient from 'openapi-fetch';
import type { paths } from '../../../docs/openapi.d.ts';
import { findToken } from '../operations/token.ts';
import { Stop } from './stop.ts';

/** What sends the requests of a run, each with the token of the moment. */
export type Client = ReturnType<typeof createClient<paths>>;

export interface Connection {
  client: Client;
  /** The token that requests are sent with now, if any. */
  token(): string | undefined;
  /**
   * Gets another token after one was refused: an import may last longer than a token does.
   *
   * @throws {Stop} when there is none to get
   */
  renew(refused: string | undefined): Promise<void>;
}

/** With a token that was given, or those that the environment leads to, if it does. */
export async function connect(url: string, given?: string): Promise<Connection> {
  let token = given ?? (await findToken());
  let renewal: Promise<void> | undefined;
  const client = createClient<paths>({ baseUrl: url });
  client.use({
    onRequest({ request }) {
      if (token !== undefined) request.headers.set('authorization', `Bearer ${token}`);
    },
  });
  const getAnother = async () => {
    const another = given ?? (await findToken());
    if (another === undefined) throw new Stop('The service asks for a token: give it one with --token');
    if (another === token) throw new Stop('The service refuses the token: get another one, and run this again');
    token = another;
  };
  return {
    client,
    token: () => token,
    async renew(refused) {
      // Requests that are under way together are refused together, some of them after the others have got another.
      if (token !== refused) return;
      renewal ??= getAnother().finally(() => {
        renewal = undefined;
      });
      await renewal;
    },
  };
}
