/** `npm run restore-user -- --url https://… --id 7`: brings a deleted user back, as it was at last, or as it is elsewhere. */
import { isDeepStrictEqual } from 'node:util';
import { MAX_ID } from '../../lib/users/ids.ts';
import { pickFields, type UserFields } from '../../lib/users/user.ts';
import { openService, type Service } from './client.ts';
import { readOptions, readUrl } from './options.ts';
import { printable, reasonOf, Stop, say } from './stop.ts';

const USAGE = `Usage: npm run restore-user -- --url <base URL> --id <id>
  --from <base URL>  takes the user as it is at another service; otherwise as it was when it was deleted
  --token <token>    otherwise TOKEN, or OIDC_ISSUER, OIDC_CLIENT_ID and OIDC_CLIENT_SECRET in the environment
  --from-token <token>  the same for the other service`;

/** Why the user is not brought back, though nothing failed. */
class NotRestored extends Error {}

const TEXT = { type: 'string' } as const;
const OPTIONS = { url: TEXT, id: TEXT, from: TEXT, token: TEXT, 'from-token': TEXT };

function readSettings() {
  const { url, id = '', from, token, 'from-token': fromToken } = readOptions(OPTIONS, USAGE);
  if (!/^\d+$/.test(id) || Number(id) < 1 || Number(id) > MAX_ID) throw new Stop(USAGE);
  const other = from === undefined ? undefined : readUrl(from, USAGE);
  return { url: readUrl(url, USAGE), id: Number(id), from: other, token, fromToken };
}

const getUser = (id: number, { client, ask }: Service) =>
  ask((signal) => client.GET('/api/users/{id}', { params: { path: { id } }, signal }));

const alreadyThere = (id: number) => new NotRestored(`User ${id} is there: nothing was done`);

/** The user as it was when it was deleted. */
async function lastState(id: number, service: Service): Promise<UserFields> {
  const { client, ask } = service;
  const user = await getUser(id, service);
  if (user.status === 200) throw alreadyThere(id);
  if (user.status !== 404) throw new Stop(user.reason);
  const history = await ask((signal) =>
    client.GET('/api/users/{id}/changes', { params: { path: { id }, query: { size: 1 } }, signal }),
  );
  if (history.status === 404) throw new Stop(`${history.reason}: use --from, with a service that has the user`);
  if (!history.data) throw new Stop(history.reason);
  const [newest] = history.data;
  // The user may be there again by now. If not, the tables were restored to two moments.
  if (newest && newest.type !== 'deleted' && (await getUser(id, service)).status === 200) throw alreadyThere(id);
  if (!newest?.user)
    throw new NotRestored(`Nothing is kept of user ${id}: it never was, was erased, or was deleted too long ago`);
  return pickFields(newest.user);
}

/** The user as it is at another service. */
async function presentState(id: number, service: Service): Promise<UserFields> {
  const { status, data, reason } = await getUser(id, service);
  if (status === 404) throw new NotRestored(`The other service has no user ${id}`);
  if (!data) throw new Stop(reason);
  return pickFields(data);
}

/** @returns the user */
async function run(): Promise<object> {
  const { url, id, from, token, fromToken } = readSettings();
  const service = await openService(url, { token });
  const { client, ask } = service;
  const other =
    from === undefined
      ? undefined
      : await openService(from, { token: fromToken, option: '--from-token', name: 'The other service' });
  const body = other ? await presentState(id, other) : await lastState(id, service);
  const params = { path: { id }, header: { 'If-None-Match': '*' } } as const;
  let sent = 0;
  const { status, data, reason } = await ask((signal) => {
    sent++;
    return client.PUT('/api/users/{id}', { params, body, signal });
  });
  if (status === 412) {
    // An earlier attempt may have brought the user back, and its response was lost.
    const { data: there } = await getUser(id, service);
    if (sent > 1 && there && isDeepStrictEqual(pickFields(there), body)) return there;
    throw alreadyThere(id);
  }
  if (!data) throw new Stop(reason);
  return data;
}

run().then(
  (user) => process.stdout.write(`${printable(JSON.stringify(user, undefined, 2))}\n`),
  (error) => {
    say(reasonOf(error));
    process.exitCode = error instanceof NotRestored ? 1 : 2;
  },
);
