import { readMap } from './columns.ts';
import { FLAG, readOptions, readUrl, required, TEXT, TEXTS } from './options.ts';
import { Stop } from './stop.ts';
import { TOKEN_OPTIONS, TOKEN_USAGE, tokenIn } from './tokenFile.ts';

const USAGE = `Usage: npm run import -- --url <base URL> --file <users.csv, users.ndjson, or - for standard input>
  --dry-run         only checks the file; needs no --url
  ${TOKEN_USAGE}
  --keep-ids        users keep the ids of the file, and so createdAt; users who are there already are left as they are
  --created <name>  the column that says when users were created, from 2020 on: createdAt is that moment, and a run can be repeated
  --refused <file>  the file for refused lines; by default the name of the source with ".refused", or ".dry-run.refused"
  --parallel <n>    the maximum number of parallel requests; 16 by default
  --map <names>     which columns of the file are which fields: "Email Address=email,displayName=name"
  --ignore <name>   a column that is no field, although it seems to be one; may be repeated
  --null <text>     the text of cells that have no value, beside empty ones, such as NULL
  --name <name>     identifies the file instead of its path: within a day, its users are created once`;

const OPTIONS = {
  url: TEXT,
  file: TEXT,
  ...TOKEN_OPTIONS,
  refused: TEXT,
  name: TEXT,
  map: TEXTS,
  ignore: TEXTS,
  null: TEXT,
  created: TEXT,
  parallel: { ...TEXT, default: '16' },
  'dry-run': FLAG,
  'keep-ids': FLAG,
} as const;

const MAX_PARALLEL = 256;

export type ImportSettings = Awaited<ReturnType<typeof readImportSettings>>;

/** @throws {Stop} with what is wrong */
export async function readImportSettings() {
  const { url, refused, map = [], ignore = [], 'dry-run': isDryRun, ...options } = readOptions(OPTIONS, USAGE);
  const file = required('--file', options.file, USAGE);
  const { created } = options;
  if (created !== undefined && options['keep-ids'])
    throw new Stop('--created and --keep-ids both say which ids users get: choose one');
  const dates = created === undefined ? [] : [{ from: created, to: 'createdAt' as const }];
  const parallel = Number(options.parallel);
  if (!(Number.isInteger(parallel) && parallel >= 1 && parallel <= MAX_PARALLEL))
    throw new Stop(`--parallel must be an integer from 1 to ${MAX_PARALLEL}`);
  const isStandardInput = file === '-';
  if (isStandardInput && options['token-file'] === '-')
    throw new Stop('Standard input has the users or the token, not both');
  return {
    url: isDryRun && url === undefined ? '' : readUrl(url, USAGE),
    file,
    title: isStandardInput ? 'Standard input' : file,
    isDryRun,
    keepsIds: options['keep-ids'],
    token: await tokenIn(options),
    // A dry run leaves the file of an import alone: it may have lines that only the service refuses.
    refused: refused ?? `${isStandardInput ? 'stdin' : file}${isDryRun ? '.dry-run' : ''}.refused`,
    parallel,
    name: options.name,
    created,
    map: [...dates, ...readMap(map), ...ignore.map((from) => ({ from, to: undefined }))],
    nothing: options.null,
  };
}
