/** Makes the users of a service what a file says, by their external ids. */
import { pickFields, type UserFields } from '../../lib/users/user.ts';
import type { Service } from '../program/client.ts';
import { type Batches, creating, type Found, inputOf, type Operation, type Result } from './batches.ts';
import { type Export, exportUsers } from './exportUsers.ts';
import type { ImportSettings } from './importOptions.ts';
import { ALREADY_THERE, isSame, type Outcome, refusalOf, type SendUser, type Sent } from './sendUser.ts';

/** The users who have an external id, by it: the lines of an export. A million of them fill some 400 MB. */
export type Known = Map<string, string>;

const NOT_FOUND = 404;

/** How often a user is looked at again whom somebody else writes, too. */
const TRIES = 5;

/** @throws {Stop} when not all of them came */
export async function readKnown(
  service: Service,
  onProgress: (users: number, total: number) => void,
  say: (sentence: string) => void,
): Promise<Known> {
  const [known, done]: [Known, Export] = [new Map(), { ids: new Set() }];
  const filters = { 'externalId.missing': false } as const;
  const options = { service, format: 'ndjson' as const, sort: [], fields: [], filters, onProgress, say };
  for await (const line of exportUsers(options, done)) known.set(JSON.parse(line).externalId, line);
  if (done.failure) throw done.failure;
  return known;
}

/** Fields, and of attributes each member, as they are named in lists. */
const named = ({ attributes, ...fields }: Readonly<Record<string, unknown>>): Map<string, unknown> =>
  new Map([
    ...Object.entries(fields),
    ...Object.entries(attributes ?? {}).map(([name, value]) => [`attributes.${name}`, value] as const),
  ]);

/** In what a user is not as a line says: all of it, or what the line names. */
function changesIn(there: UserFields, { fields, given }: Sent, replaces: boolean): string[] {
  const [was, is] = [named(there), named(fields)];
  const names = replaces ? new Set([...was.keys(), ...is.keys()]) : named(given).keys();
  return [...names].filter((name) => !isSame(was.get(name), is.get(name)));
}

/** Whether a user is not, or no longer, as was thought: somebody else writes, too, or a response was lost. */
const isStale = ({ status, code }: Result): boolean =>
  status === NOT_FOUND || status === ALREADY_THERE || code === 'external-id-taken';

/** The external id is in it, which only a change with `If-Match` exchanges: so the user still has it. */
function changing(id: number, { fields, given }: Sent, replaces: boolean): Operation {
  if (replaces) return { op: 'replace', id, user: inputOf(fields) };
  return {
    op: 'patch',
    id,
    patch: Object.fromEntries(Object.entries(given).map(([name, value]) => [name, value ?? null])),
  };
}

/** The outcome of a line if the service takes what is sent for it. */
function outcomeOf(there: Found | undefined, sent: Sent, replaces: boolean): Outcome {
  if (!there) return { is: 'created' };
  const updated = changesIn(pickFields(there), sent, replaces);
  return updated.length === 0 ? { is: 'there' } : { is: 'updated', updated };
}

type Settings = Pick<ImportSettings, 'replaces' | 'isDryRun'>;

/** @param known the user as the service had it when the import began */
async function send({ run, findBy }: Batches, sent: Sent, known: Found | undefined, settings: Settings) {
  const { fields, ids = [undefined] } = sent;
  const { replaces, isDryRun } = settings;
  let there = known;
  let result: Result = { status: NOT_FOUND };
  for (let [tries, place] = [0, 0]; tries < TRIES && place < ids.length; tries++) {
    const outcome = outcomeOf(there, sent, replaces);
    if (isDryRun || outcome.is === 'there') return outcome;
    result = await run(there ? changing(there.id, sent, replaces) : creating(fields, ids[place]));
    if (result.status < 300) return outcome;
    if (!isStale(result)) break;
    const found = await findBy(fields.externalId ?? '');
    // The id is another user's.
    if (!found && !there) place++;
    there = found;
  }
  return refusalOf(result);
}

/** Creates the user of a line, or changes the one with its external id. */
export const createSync =
  (batches: Batches, known: Known, settings: Settings): SendUser =>
  (sent) => {
    const line = known.get(sent.fields.externalId ?? '');
    return send(batches, sent, line === undefined ? undefined : JSON.parse(line), settings);
  };
