/**
 * `npm run verify -- [--stage prod] [--region eu-west-1] [--repair | --rebuild | --restored | --keys] [--keep-old 60]`: compares the statistics of a stage, or of the
 * service on this machine, with the users. The service keeps running. Only numbers are printed, so the output may be kept
 * anywhere. The exit code is 1 if there are differences that were not repaired, 2 if nothing could be compared.
 */
import { parseArgs } from 'node:util';
import { SingleBar } from 'cli-progress';
import { createDynamo, UNHURRIED } from '../../lib/dynamodb/client.ts';
import { metered } from '../../lib/metering.ts';
import { optionalVariable, systemRuntime } from '../../lib/runtime.ts';
import type { Database, TableNames } from '../../lib/users/database.ts';
import { fillKeys } from '../../lib/users/rebuild/fillKeys.ts';
import { isAllRight, type Progress, type Report, verify } from '../../lib/users/rebuild/verify.ts';
import { SIZES } from '../../lib/users/sizes.ts';
import { say } from '../import/stop.ts';
import { useLocalCredentials } from '../local/environment.ts';
import { findService } from '../local/serviceFile.ts';
import { keysGiven, number } from './sentences.ts';
import { regionOf, stackOf } from './stages.ts';

const DEFAULT_PORT = 3000;

const EXIT_DIFFERENT = 1;
const EXIT_NOT_RUN = 2;

interface Options {
  stage: string | undefined;
  region: string | undefined;
  repair: boolean;
  /** Builds all statistics again even if they are right: the bounds of their nodes may be texts of users who are gone. */
  rebuild: boolean;
  /** For restored tables: empties the journal, then repairs. */
  restored: boolean;
  /** How long statistics that a repair has replaced stay, in milliseconds: requests that have begun still read them. */
  keepOldMs: number | undefined;
  /** Compares nothing: gives users the keys that they lack for the indexes of a new field. */
  keys: boolean;
}

/** Where the tables are. The SDK itself reads `AWS_ENDPOINT_URL_DYNAMODB`. */
interface Target {
  tables: TableNames;
  endpoint?: string;
}

function readOptions(): Options {
  const { values } = parseArgs({
    options: {
      stage: { type: 'string' },
      region: { type: 'string' },
      repair: { type: 'boolean', default: false },
      rebuild: { type: 'boolean', default: false },
      restored: { type: 'boolean', default: false },
      keys: { type: 'boolean', default: false },
      'keep-old': { type: 'string' },
    },
  });
  if (values.region !== undefined && values.stage === undefined) throw new Error('--region goes with --stage');
  if (values.stage === '') throw new Error('--stage must be the name of a stage');
  const { stage, region, repair, rebuild, restored, keys, 'keep-old': keepOld } = values;
  if (keepOld !== undefined && !/^\d+$/.test(keepOld)) throw new Error('--keep-old must be a number of seconds');
  return {
    stage,
    region,
    repair,
    rebuild,
    restored,
    keys,
    keepOldMs: keepOld === undefined ? undefined : Number(keepOld) * 1_000,
  };
}

function localTarget(): Target {
  const { endpoint, region, tables } = findService(Number(optionalVariable('PORT') ?? DEFAULT_PORT));
  useLocalCredentials();
  process.env.AWS_REGION = region;
  return { tables, endpoint };
}

function stageTarget(stage: string, region: string | undefined): Target {
  process.env.AWS_REGION = regionOf(region);
  const users = optionalVariable('USERS_TABLE') ?? `${stackOf(stage)}-users`;
  const directory = optionalVariable('DIRECTORY_TABLE') ?? `${stackOf(stage)}-directory`;
  return { tables: { users, directory } };
}

/** What is counted, as the progress bar says it. */
const WORDS: Record<Progress['what'], string> = {
  users: 'users read',
  maps: 'maps compared',
  lists: 'indexes compared',
  rebuild: 'parts built again',
};

function createProgressBar() {
  const bar = new SingleBar({
    format: '{bar} {value}/{total} {what}, {eta_formatted} left',
    noTTYOutput: true,
    notTTYSchedule: 1_000,
  });
  let shown: Progress['what'] | undefined;
  return {
    show({ what, done, total }: Progress): void {
      if (shown !== what) {
        bar.stop();
        bar.start(Math.max(total, done), 0, { what: WORDS[what] });
        shown = what;
      }
      bar.setTotal(Math.max(total, done));
      bar.update(done);
    },
    stop: () => bar.stop(),
  };
}

const generationsOf = (count: number): string =>
  count === 1 ? '1 generation of statistics' : `${number(count)} generations of statistics`;

const sayOthers = ({ generations, items, left }: Report['swept']): string[] => [
  ...(generations > 0 ? [`deleted: ${generationsOf(generations)} that nobody reads (${number(items)} items)`] : []),
  ...(left > 0 ? [`left: ${generationsOf(left)} that another repair may be building: verify again later`] : []),
];

function summarize(report: Report): string[] {
  const { users, maps, wrongMaps, lists, wrongLists, wrongTotal, changes, wrongChanges, repaired, swept } = report;
  const differences = [
    ...(wrongTotal ? ['the total of all users'] : []),
    ...(wrongMaps > 0 ? [`${number(wrongMaps)} maps of totals and last names`] : []),
    ...(wrongLists > 0 ? [`the segments of ${number(wrongLists)} lists`] : []),
  ];
  const lost = wrongChanges > 0 ? [`${number(wrongChanges)} kept changes are missing or come twice`] : [];
  const outcome = differences.map((difference) => `${repaired ? 'repaired' : 'wrong'}: ${difference}`);
  return [
    `${number(users)} users, ${number(maps)} maps, ${number(lists)} lists and ${number(changes)} changes compared`,
    ...lost.map((what) => (repaired ? `${what}: who follows them is told to read all users again` : `wrong: ${what}`)),
    ...(outcome.length > 0 || lost.length > 0 ? outcome : [repaired ? 'made: all statistics' : 'no differences found']),
    ...sayOthers(swept),
  ];
}

async function compare(database: Database, { repair, rebuild, restored, keepOldMs }: Options): Promise<string[]> {
  const bar = createProgressBar();
  const options = { repair: repair || rebuild || restored, always: rebuild, restored, onProgress: bar.show };
  const report = await verify(database, { ...options, ...(keepOldMs !== undefined && { keepOldMs }) }).finally(
    bar.stop,
  );
  if (!isAllRight(report)) process.exitCode = EXIT_DIFFERENT;
  return summarize(report);
}

const giveKeys = async (database: Database): Promise<string[]> => [keysGiven(await fillKeys(database))];

async function run(): Promise<void> {
  const options = readOptions();
  const { tables, ...config } =
    options.stage === undefined ? localTarget() : stageTarget(options.stage, options.region);
  const database = { dynamo: createDynamo({ ...config, ...UNHURRIED }), tables, runtime: systemRuntime, sizes: SIZES };
  const start = systemRuntime.now();
  await metered(async (meter) => {
    const outcome = await (options.keys ? giveKeys : compare)(database, options).catch((cause: Error) => {
      throw new Error(`Tables ${tables.users} and ${tables.directory} were not verified: ${cause.message}`, { cause });
    });
    const seconds = ((systemRuntime.now() - start) / 1_000).toFixed(1);
    const cost = `${number(meter.readUnits)} read units, ${number(meter.writeUnits)} write units, ${seconds} s`;
    process.stdout.write(`${[...outcome, cost].join('\n')}\n`);
  });
}

run().catch((error: Error) => {
  say(error.message);
  process.exitCode = EXIT_NOT_RUN;
});
