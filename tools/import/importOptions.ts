import { FLAG, readInteger, readOptions, readUrl, required, TEXT, TEXTS } from '../program/options.ts';
import { Stop } from '../program/stop.ts';
import { TOKEN_OPTIONS, TOKEN_USAGE, tokenIn } from '../program/tokenFile.ts';
import { isAttribute, readMap } from './columns.ts';

const USAGE = `Usage: npm run import -- --url <base URL> --file <users.csv, users.ndjson, or - for standard input>
  --dry-run         only checks the file; needs no --url
  ${TOKEN_USAGE}
  --keep-ids        users keep the ids of the file, and so createdAt; users who are there already are left as they are
  --by externalId   changes the user with the externalId of a line, if a value differs, and creates users that are not there
  --replace         with --by: also removes fields that the line does not have
  --delete-missing  with --by: deletes users whose externalId is not in the file, after a question
  --at-most <n>     deletes them without a question, unless there are more
  --yes             deletes them without a question
  --despite-refused deletes them even if lines were refused
  --keys-as-written with --by: accepts each externalId, also with white space at its ends, or like 1.00023E+11, #N/A or NULL
  --attributes      makes attributes of columns that are no fields
  --typed           in CSV, makes numbers, booleans or arrays of columns of attributes; stops if cells are of several kinds
  --text <name>     with --typed: an attribute that is text, whatever its cells look like; may be repeated
  --created <name>  the column with the moment of creation, from 2020 on: it becomes createdAt, and a run can be repeated
  --refused <file>  the file for refused lines; by default the name of the source with ".refused", or ".dry-run.refused"
  --parallel <n>    the maximum number of parallel requests, of 100 users each; 4 by default
  --map <names>     gives columns the names of fields: "Email Address=email,displayName=name"
  --name-from <names> columns that name users without a name, the first with a text: "username,email"
  --ignore <name>   a column that is no field, although it seems to be one; may be repeated
  --null <text>     a text that means no value, as an empty cell does, such as NULL
  --name <name>     identifies the file in place of its path: within a day, its users are created once`;

const OPTIONS = {
  url: TEXT,
  file: TEXT,
  ...TOKEN_OPTIONS,
  refused: TEXT,
  name: TEXT,
  map: TEXTS,
  ignore: TEXTS,
  'name-from': TEXTS,
  text: TEXTS,
  null: TEXT,
  created: TEXT,
  by: TEXT,
  'at-most': TEXT,
  parallel: { ...TEXT, default: '4' },
  ...{ replace: FLAG, 'delete-missing': FLAG, yes: FLAG, 'despite-refused': FLAG },
  ...{ attributes: FLAG, typed: FLAG, 'dry-run': FLAG, 'keep-ids': FLAG, 'keys-as-written': FLAG },
} as const;

const MAX_PARALLEL = 256;

type Options = ReturnType<typeof readOptions<typeof OPTIONS>>;

export type ImportSettings = Awaited<ReturnType<typeof readImportSettings>>;

/** The columns of `--name-from`, in their order. @throws {Stop} when one has no name */
function readNames(given: readonly string[] = []): readonly string[] {
  const names = given.flatMap((text) => text.split(',')).map((name) => name.trim());
  if (names.includes('')) throw new Stop(`--name-from ${given.join(',')} must name columns, with commas between them`);
  return names;
}

/** The attributes of `--text`. @throws {Stop} when one is none */
function readTexts(given: readonly string[] = [], isTyped: boolean): readonly string[] {
  const names = given.map((name) => (isAttribute(name) ? name : `attributes.${name}`));
  const wrong = names.find((name) => !isAttribute(name));
  if (wrong !== undefined) throw new Stop(`--text: ${wrong} is no attribute`);
  if (names.length > 0 && !isTyped) throw new Stop('--text goes with --typed');
  return names;
}

/** How users are found again. */
function readKeys({ by, created, 'keep-ids': keepsIds, ...options }: Options) {
  const given = { replaces: options.replace, deletesMissing: options['delete-missing'] };
  if (by !== undefined && by !== 'externalId') throw new Stop('--by must be externalId');
  if (by === undefined && (given.replaces || given.deletesMissing))
    throw new Stop('--replace and --delete-missing need --by externalId');
  if (created !== undefined && keepsIds)
    throw new Stop('--created and --keep-ids both say which ids users get: choose one');
  const atMost = options['at-most'];
  return {
    ...given,
    isSync: by !== undefined,
    keepsIds,
    created,
    atMost: atMost === undefined ? undefined : readInteger('--at-most', atMost, 0, USAGE),
    saysYes: options.yes,
    ignoresRefused: options['despite-refused'],
    isAsWritten: options['keys-as-written'],
  };
}

/** @throws {Stop} with what is wrong */
export async function readImportSettings() {
  const options = readOptions(OPTIONS, USAGE);
  const { url, refused, map = [], ignore = [], created, 'dry-run': isDryRun } = options;
  const file = required('--file', options.file, USAGE);
  const keys = readKeys(options);
  const dates = created === undefined ? [] : [{ from: created, to: 'createdAt' as const }];
  const parallel = readInteger('--parallel', options.parallel, 1, USAGE);
  if (parallel > MAX_PARALLEL) throw new Stop(`--parallel must be at most ${MAX_PARALLEL}`);
  const isStandardInput = file === '-';
  if (isStandardInput && options['token-file'] === '-')
    throw new Stop('Standard input has the users or the token, not both');
  return {
    ...keys,
    url: isDryRun && url === undefined && !keys.isSync ? '' : readUrl(url, USAGE),
    file,
    title: isStandardInput ? 'Standard input' : file,
    isDryRun,
    token: await tokenIn(options),
    // A dry run leaves the file of an import alone: it may have lines that only the service refuses.
    refused: refused ?? `${isStandardInput ? 'stdin' : file}${isDryRun ? '.dry-run' : ''}.refused`,
    parallel,
    name: options.name,
    map: [...dates, ...readMap(map), ...ignore.map((from) => ({ from, to: undefined }))],
    nameFrom: readNames(options['name-from']),
    nothing: options.null,
    takesOthers: options.attributes,
    isTyped: options.typed,
    texts: readTexts(options.text, options.typed),
  };
}
