/**
 * `npm run lists -- --stage prod`: prepares the change of a stage from one engine of lists to the other, beside its writers. docs/scale.md tells
 * the steps.
 */
import { createDynamo } from '../../lib/dynamodb/index.ts';
import { systemRuntime } from '../../lib/ground/index.ts';
import { createFollower, createRepair, type Index, readHead } from '../../lib/replica/index.ts';
import { createEngine, signerOf } from '../../lib/search/index.ts';
import { type Database, LIMITS } from '../../lib/users/database.ts';
import { USER_ROWS } from '../../lib/users/rows.ts';
import { createUserIndex } from '../../lib/users/userIndex.ts';
import { FLAG, readOptions, required, TEXT } from '../program/options.ts';
import { createProgress } from '../program/progress.ts';
import { isSecure } from '../program/secure.ts';
import { counted, runMain, Stop } from '../program/stop.ts';
import { requireCredentials } from './credentials.ts';
import { readStage } from './stages.ts';
import { useStage } from './tables.ts';

const USAGE = `Usage: npm run lists -- --stage <stage> [--to opensearch --url <address of the domain>]. Without options it says where lists come from
  --stage <stage>    the stage
  --region <region>  of the stage; otherwise as the AWS command line finds it, or eu-central-1
  --to opensearch    copies all users into an index, beside lists from the replica: before a deployment with lists: opensearch. Asked
                     again, it goes on where it ended
  --to replica       reads all users for lists from memory: after a deployment with lists: replica
  --url <address>    of the domain
  --shards <n>       of the index, 1 unless given: about one for each ten million users
  --anew             makes another index of a stage that lists from one, which goes on meanwhile
  --drop             gives up an index that is being made`;

const OPTIONS = { stage: TEXT, region: TEXT, to: TEXT, url: TEXT, shards: TEXT, anew: FLAG, drop: FLAG };

const STEP_MS = 5_000;

/** Copies all users, and follows until the index lacks nothing. */
async function copy(database: Database, index: Index): Promise<string> {
  const follower = createFollower(database, index, { changeOverMs: 0, takesPlace: false });
  const progress = createProgress();
  for (;;) {
    await follower.run(STEP_MS);
    const head = await readHead(database);
    if (!head?.base) throw new Stop('The stage has no users for lists yet: its fold reads them within a minute');
    if (head.base.indexed) return 'The lists of this stage come from an index already';
    const { users = 0, indexed = 0 } = head.copy ?? {};
    progress.update('users copied', users);
    if (indexed < head.epoch - 1) continue;
    progress.stop();
    return `${counted(users, 'user')} copied. Deploy the stage with lists: opensearch: within a minute its lists come from the index. Until then the stage keeps all changes for it: --drop gives it up`;
  }
}

async function toReplica(database: Database): Promise<string> {
  const head = await readHead(database);
  if (head?.base?.indexed === undefined) return 'The lists of this stage come from the replica already';
  await createRepair(database).ensureBase();
  return 'All users were read: the lists of this stage come from the replica. Its index can be deleted with its domain';
}

function indexOf({ dynamo, runtime }: Database, { stage, url, shards }: Settings, region: string): Index {
  const sign = url.startsWith('https:') ? signerOf({ ...dynamo.config, region }) : undefined;
  return createUserIndex(createEngine({ endpoint: url.replace(/\/$/, ''), runtime, sign }), stage, shards);
}

type Settings = ReturnType<typeof readSettings>;

function readSettings() {
  const { stage, region, to, url = '', shards, anew, drop } = readOptions(OPTIONS, USAGE);
  if ([to !== undefined, anew, drop].filter(Boolean).length > 1)
    throw new Stop(`Say one of --to, --anew and --drop\n${USAGE}`);
  if (to !== undefined && !['opensearch', 'replica'].includes(to))
    throw new Stop(`--to is opensearch or replica, not ${to}`);
  const makesIndex = to === 'opensearch' || anew;
  if (makesIndex && !isSecure(required('--url', url || undefined, USAGE), true))
    throw new Stop(`--url is an address such as https://search-users-prod.eu-central-1.es.amazonaws.com, not ${url}`);
  if (!makesIndex && (url || shards !== undefined))
    throw new Stop('--url and --shards go with --to opensearch and --anew');
  if (!/^[1-9]\d?$/.test(shards ?? '1')) throw new Stop('--shards is a number from 1 to 99');
  return { stage: readStage(stage, USAGE), region, to, url, shards: Number(shards ?? 1), anew, drop };
}

/** An index that nobody deploys costs: the stage keeps all changes for it. */
async function told(database: Database): Promise<string> {
  const head = await readHead(database);
  if (!head?.base) return 'The stage has no users for lists yet: its fold reads them within a minute';
  const { base, copy, epoch } = head;
  const from =
    base.indexed === undefined ? 'from the replica' : `from an index that lacks ${epoch - base.indexed} batches`;
  const made = copy
    ? `An index is being made since ${new Date(copy.at).toISOString()}, and has ${counted(copy.users, 'user')}: the stage keeps all changes since, until its lists come from it, or --drop gives it up`
    : 'No index is being made';
  return `Lists come ${from}. ${made}`;
}

async function work(database: Database, options: Settings): Promise<string> {
  if (options.drop) return (await createRepair(database).dropCopy()) ? 'Given up' : 'No index is being made';
  if (options.to === 'replica') return toReplica(database);
  if (options.to === undefined && !options.anew) return told(database);
  const index = indexOf(database, options, String(process.env.AWS_REGION));
  if (options.to === 'opensearch') return copy(database, index);
  await createFollower(database, index).anew();
  return 'Another index is being made: it takes the place of the present one when it has all users';
}

async function main(): Promise<number> {
  const options = readSettings();
  const { tables } = await useStage(options.stage, options.region);
  const dynamo = createDynamo({ isUnhurried: true });
  await requireCredentials(dynamo.config, 'Nothing was changed');
  const database = { dynamo, tables, runtime: systemRuntime, limits: LIMITS, rows: USER_ROWS };
  process.stdout.write(`${await work(database, options)}\n`);
  return 0;
}

runMain(main);
