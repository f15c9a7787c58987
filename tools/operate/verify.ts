/**
 * `npm run verify -- --stage prod`: compares the statistics of a stage, or of the service on this machine, with the users. The service
 * keeps running. Only numbers are printed, so the output may be kept anywhere. The exit code is 1 if there are differences that were
 * not repaired, 2 if nothing could be compared.
 */
import { createDynamo, UNHURRIED } from '../../lib/dynamodb/client.ts';
import { metered } from '../../lib/metering.ts';
import { optionalVariable, systemRuntime } from '../../lib/runtime.ts';
import type { Database, TableNames } from '../../lib/users/database.ts';
import { fillKeys } from '../../lib/users/rebuild/fillKeys.ts';
import { isAllRight, type Progress, type Report, verify } from '../../lib/users/rebuild/verify.ts';
import { SIZES } from '../../lib/users/sizes.ts';
import { FLAG, readOptions, TEXT } from '../import/options.ts';
import { showProgress } from '../import/progress.ts';
import { reasonOf, Stop, say } from '../import/stop.ts';
import { useLocalCredentials } from '../local/environment.ts';
import { findService } from '../local/serviceFile.ts';
import { regionOf, stackOf } from './stages.ts';

const DEFAULT_PORT = 3000;

const EXIT_DIFFERENT = 1;
const EXIT_NOT_RUN = 2;

const USAGE = `Usage: npm run verify -- [--stage <stage>] [--region <region>]
  --repair              builds the statistics again if they differ from the users
  --rebuild             builds all of them again: bounds of their nodes may be texts of users who are gone
  --restored            for restored tables: empties the journal, then repairs
  --keep-old <seconds>  how long statistics that a repair has replaced stay: requests that have begun still read them
  --keys                compares nothing, and gives users the keys that they lack for the indexes of a new field`;

const OPTIONS = {
  stage: TEXT,
  region: TEXT,
  repair: FLAG,
  rebuild: FLAG,
  restored: FLAG,
  keys: FLAG,
  'keep-old': TEXT,
};

type Options = ReturnType<typeof readSettings>;

/** Where the tables are. The SDK itself reads `AWS_ENDPOINT_URL_DYNAMODB`. */
interface Target {
  tables: TableNames;
  endpoint?: string;
}

function readSettings() {
  const { 'keep-old': keepOld, ...options } = readOptions(OPTIONS, USAGE);
  if (options.region !== undefined && options.stage === undefined) throw new Stop('--region goes with --stage');
  if (options.stage === '') throw new Stop('--stage must be the name of a stage');
  if (keepOld !== undefined && !/^\d+$/.test(keepOld)) throw new Stop('--keep-old must be a number of seconds');
  return { ...options, ...(keepOld !== undefined && { keepOldMs: Number(keepOld) * 1_000 }) };
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

function createProgress() {
  let [shown, bar]: [Progress['what'] | undefined, ReturnType<typeof showProgress> | undefined] = [
    undefined,
    undefined,
  ];
  return {
    show({ what, done, total }: Progress): void {
      const most = Math.max(total, done);
      if (shown !== what) {
        bar?.stop();
        bar = showProgress(WORDS[what], most);
        shown = what;
      }
      bar?.update(done, done, most);
    },
    stop: () => bar?.stop(),
  };
}

const number = (value: number): string => value.toLocaleString('en-US');

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

async function compare(database: Database, options: Options): Promise<string[]> {
  const { repair, rebuild, restored, keepOldMs } = options;
  const progress = createProgress();
  const report = await verify(database, {
    repair: repair || rebuild || restored,
    always: rebuild,
    restored,
    onProgress: progress.show,
    ...(keepOldMs !== undefined && { keepOldMs }),
  }).finally(progress.stop);
  if (!isAllRight(report)) process.exitCode = EXIT_DIFFERENT;
  return summarize(report);
}

const giveKeys = async (database: Database): Promise<string[]> => [
  `${number(await fillKeys(database))} users were given keys that they lacked`,
];

async function run(): Promise<void> {
  const options = readSettings();
  const { tables, ...config } =
    options.stage === undefined ? localTarget() : stageTarget(options.stage, options.region);
  const database = { dynamo: createDynamo({ ...config, ...UNHURRIED }), tables, runtime: systemRuntime, sizes: SIZES };
  const start = systemRuntime.now();
  await metered(async (meter) => {
    const outcome = await (options.keys ? giveKeys : compare)(database, options).catch((cause) => {
      throw new Error(`Tables ${tables.users} and ${tables.directory} were not verified: ${cause.message}`);
    });
    const seconds = ((systemRuntime.now() - start) / 1_000).toFixed(1);
    const cost = `${number(meter.readUnits)} read units, ${number(meter.writeUnits)} write units, ${seconds} s`;
    process.stdout.write(`${[...outcome, cost].join('\n')}\n`);
  });
}

run().catch((error) => {
  say(reasonOf(error));
  process.exitCode = EXIT_NOT_RUN;
});
