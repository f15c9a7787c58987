/**
 * `npm run verify -- --stage prod`: compares the users of a stage, or of the service on this machine, with what its lists are answered
 * from. The service keeps running. Ids and names of fields are printed, and no values, so the output may be kept anywhere. The exit code is 1 if there are differences that were
 * not repaired, 2 if nothing could be compared.
 */
import { createDynamo } from '../../lib/dynamodb/index.ts';
import { metered, systemRuntime } from '../../lib/ground/index.ts';
import { type Database, LIMITS } from '../../lib/users/database.ts';
import { USER_ROWS } from '../../lib/users/rows.ts';
import { EXTERNAL_ID, forgetFlag, hasFlag } from '../../lib/users/unique.ts';
import { useService } from '../local/workFolder.ts';
import { FLAG, readOptions, readPort, TEXT } from '../program/options.ts';
import { createProgress } from '../program/progress.ts';
import { counted, runMain, Stop } from '../program/stop.ts';
import { type Filled, fillEmails, fillUnique, forgetEmails } from '../verify/fillUnique.ts';
import { areSpendable, tryTokens } from '../verify/tokens.ts';
import { isAllRight, type Report, verify } from '../verify/verify.ts';
import { requireCredentials } from './credentials.ts';
import { readStage } from './stages.ts';
import { useStage } from './tables.ts';

const EXIT_DIFFERENT = 1;

const USAGE = `Usage: npm run verify -- [--stage <stage>] [--region <region>]
  --stage <stage>  the stage whose users are compared; otherwise the service on this machine
  --region <region>  of the stage; otherwise as the AWS command line finds it, or eu-central-1
  --port <n>       of the service on this machine; otherwise PORT in the environment, or 3000
  --repair         makes the copy for lists anew from the users, if something differs
  --restored       for restored tables: empties the journal, then repairs
  --emails         compares nothing, and makes the items of unique e-mails; before that nobody can take an address
  --forget-emails  deletes these items, if e-mails need not be unique any more
  --external-ids   compares nothing, and corrects the items of external ids by the users
  --tokens         compares nothing, and tests that this DynamoDB refuses a late attempt of a refused transaction`;

const OPTIONS = {
  stage: TEXT,
  region: TEXT,
  port: TEXT,
  repair: FLAG,
  restored: FLAG,
  emails: FLAG,
  'forget-emails': FLAG,
  'external-ids': FLAG,
  tokens: FLAG,
};

type Options = ReturnType<typeof readSettings>;

function readSettings() {
  const options = readOptions(OPTIONS, USAGE);
  if (options.region !== undefined && options.stage === undefined) throw new Stop('--region goes with --stage');
  if (options.port !== undefined && options.stage !== undefined) throw new Stop('--port goes without --stage');
  if (options.stage !== undefined) readStage(options.stage, USAGE);
  return options;
}

/** Users who differ and are named. More are only counted. */
const MOST_LINES = 20;

/** A line about things of which there are some. */
const some = (count: number, noun: string, line: (counted: string) => string): string[] =>
  count > 0 ? [line(counted(count, noun))] : [];

function summarize(report: Report): string[] {
  const { users, differences, changes, wrongChanges, isIndexed, isBroken, repaired } = report;
  const outcome = repaired ? 'repaired' : 'wrong';
  const feed = repaired ? ': who follows changes is told to read all users again' : '';
  const found = [
    ...(isIndexed
      ? ['the users of lists were not compared: they come from an index, which npm run lists makes anew']
      : []),
    ...(isBroken ? [`${outcome}: the base that lists begin with, or a delta`] : []),
    ...some(differences.length, 'user', (wrong) => `${outcome}: ${wrong} whom lists have otherwise`),
    ...differences.slice(0, MOST_LINES).map(({ id, fields }) => `  ${id}: ${fields.join(', ')}`),
    ...some(Math.max(0, differences.length - MOST_LINES), 'user', (more) => `  and ${more} more`),
    ...some(wrongChanges, 'kept change', (lost) => `${lost} missing or kept twice${feed}`),
  ];
  const compared = [counted(users, 'user'), counted(changes, 'change')];
  return [
    `${compared.join(', ')} compared`,
    ...(found.length > 0 ? found : [repaired ? 'made: the base of all users' : 'no differences found']),
  ];
}

type Outcome = [exitCode: number, lines: string[]];

/** Says ids, and no values. */
function outcomeOf({ sharing, made, deleted }: Filled, [one, several]: readonly string[], advice: string): Outcome {
  if (sharing.length === 0)
    return [0, [`${counted(made, 'item')} of ${several} made, ${deleted} deleted: no two users share one`]];
  return [EXIT_DIFFERENT, [...sharing.map((ids) => `one ${one}: users ${ids.join(', ')}`), advice]];
}

const giveEmails = async (database: Database): Promise<Outcome> =>
  outcomeOf(
    await fillEmails(database),
    ['address', 'addresses'],
    'No address counts yet. Delete all but one, or their addresses (after --forget-emails, if that is 503), and ask again',
  );

const giveExternalIds = async (database: Database): Promise<Outcome> =>
  outcomeOf(
    await fillUnique(database, EXTERNAL_ID),
    ['external id', 'external ids'],
    'Delete all but one, or their external ids, and ask again',
  );

async function compare(database: Database, options: Options): Promise<Outcome> {
  const { repair, restored } = options;
  const isUnique = await hasFlag(database);
  // The two tables are of different moments: nobody takes an address until the items are made again.
  if (restored) await forgetFlag(database);
  const progress = createProgress();
  const report = await verify(database, {
    repair: repair || restored,
    restored,
    onProgress: (users) => progress.update('users read', users),
  }).finally(progress.stop);
  const given: Outcome[] = [];
  if (report.repaired) given.push(await giveExternalIds(database));
  if (report.repaired && isUnique) given.push(await giveEmails(database));
  const exitCode = Math.max(isAllRight(report) ? 0 : EXIT_DIFFERENT, ...given.map(([code]) => code));
  return [exitCode, [...summarize(report), ...given.flatMap(([, lines]) => lines)]];
}

async function tellTokens(database: Database): Promise<Outcome> {
  const tokens = await tryTokens(database);
  const found = `another transaction with the token of a cancelled one: ${tokens.spending}; the cancelled one after it: ${tokens.late}`;
  if (areSpendable(tokens)) return [0, [found, 'a refusal is final: its token can be spent']];
  return [
    EXIT_DIFFERENT,
    [found, 'a token cannot be spent here: a refusal after an attempt without an answer is a 503'],
  ];
}

async function work(database: Database, options: Options): Promise<Outcome> {
  if (options.tokens) return tellTokens(database);
  if (options.emails) return giveEmails(database);
  if (options['external-ids']) return giveExternalIds(database);
  if (options['forget-emails']) return [0, [`${counted(await forgetEmails(database), 'item')} of addresses deleted`]];
  return compare(database, options);
}

async function main(): Promise<number> {
  const options = readSettings();
  const { stage, region } = options;
  const service = stage === undefined ? useService(readPort(options.port, USAGE)) : await useStage(stage, region);
  const { tables, endpoint } = service;
  const dynamo = createDynamo({ ...(endpoint && { endpoint }), isUnhurried: true });
  await requireCredentials(dynamo.config, 'Nothing was verified');
  const database = { dynamo, tables, runtime: systemRuntime, limits: LIMITS, rows: USER_ROWS };
  const start = systemRuntime.now();
  return metered(async (meter) => {
    const [exitCode, lines] = await work(database, options).catch((cause) => {
      throw new Error(`Tables ${tables.users} and ${tables.directory} were not verified: ${cause.message}`);
    });
    const seconds = ((systemRuntime.now() - start) / 1_000).toFixed(1);
    const cost = `${counted(meter.readUnits, 'read unit')}, ${counted(meter.writeUnits, 'write unit')}, ${seconds} s`;
    process.stdout.write(`${[...lines, cost].join('\n')}\n`);
    return exitCode;
  });
}

runMain(main);
