/** `npm run restore-user -- --url https://… --id 7`: brings a deleted user back, as it was at last. */
import { isDeepStrictEqual } from 'node:util';
import { MAX_ID } from '../../lib/users/ids.ts';
import { pickFields } from '../../lib/users/user.ts';
import { openService } from './client.ts';
import { readOptions, readUrl, TEXT } from './options.ts';
import { printable, reasonOf, Stop, say } from './stop.ts';

const USAGE = `Usage: npm run restore-user -- --url <base URL> --id <id>
  --token <token>  otherwise TOKEN, or OIDC_ISSUER, OIDC_CLIENT_ID and OIDC_CLIENT_SECRET in the environment`;

/** Why the user is not brought back, though nothing failed. */
class NotRestored extends Error {}

/** @returns the user */
async function run(): Promise<object> {
  const { url, id: given = '', token } = readOptions({ url: TEXT, id: TEXT, token: TEXT }, USAGE);
  if (!/^\d+$/.test(given) || Number(given) < 1 || Number(given) > MAX_ID) throw new Stop(USAGE);
  const id = Number(given);
  const { client, ask } = await openService(readUrl(url, USAGE), { token });
  const history = await ask((signal) =>
    client.GET('/api/users/{id}/changes', { params: { path: { id }, query: { size: 1 } }, signal }),
  );
  if (!history.data) throw new Stop(history.reason);
  const [newest] = history.data;
  if (!newest?.user)
    throw new NotRestored(`Nothing is kept of user ${id}: it never was, was erased, or was deleted too long ago`);
  const body = pickFields(newest.user);
  let sent = 0;
  const { status, data, reason } = await ask((signal) => {
    sent++;
    return client.PUT('/api/users/{id}', { params: { path: { id }, header: { 'If-None-Match': '*' } }, body, signal });
  });
  if (data) return data;
  if (status !== 412) throw new Stop(reason);
  // An earlier attempt may have brought the user back, and its response was lost.
  const there = await ask((signal) => client.GET('/api/users/{id}', { params: { path: { id } }, signal }));
  if (sent > 1 && there.data && isDeepStrictEqual(pickFields(there.data), body)) return there.data;
  throw new NotRestored(`User ${id} is there: nothing was done`);
}

run().then(
  (user) => process.stdout.write(`${printable(JSON.stringify(user, undefined, 2))}\n`),
  (error) => {
    say(reasonOf(error));
    process.exitCode = error instanceof NotRestored ? 1 : 2;
  },
);
