/** `npm run export -- --url https://… --file users.csv`: writes all users of a running service. */
import { createWriteStream, renameSync } from 'node:fs';
import { extname } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { systemRuntime } from '../../lib/ground/index.ts';
import { openService } from '../program/client.ts';
import { FLAG, readOptions, readUrl, TEXT, TEXTS } from '../program/options.ts';
import { createProgress } from '../program/progress.ts';
import { counted, printable, reasonOf, runMain, Stop, say } from '../program/stop.ts';
import { TOKEN_OPTIONS, TOKEN_USAGE, tokenIn } from '../program/tokenFile.ts';
import { partOf, takePart } from './exportFile.ts';
import { type Export, type ExportOptions, exportUsers, OUTPUT_FORMATS } from './exportUsers.ts';
import { makePrivate, PRIVATE } from './privateFile.ts';

const USAGE = `Usage: npm run export -- --url <base URL> --file <file>
  --file <file>        the file to write; otherwise standard output, which begins with two lines of npm unless you run
                       "npm run --silent export". Its name ends with .part until it is whole; the same command continues it
  --format csv|ndjson|json  otherwise by the name of the file, or CSV; let a spreadsheet open the ids as text
  --fields <names>     only these members and id, such as name,email
  --bom                begins CSV with a byte order mark, without which Excel guesses another encoding
  --sort <property>    in the format of the service, such as lastName,desc; may be repeated
  --filter <name=value>  such as status=active, age.gte=18 or createdAt.gte=2026-11-01; may be repeated
  ${TOKEN_USAGE}`;

/** Ids have 16 digits from 2027-09-26 on. */
const IDS = 'A spreadsheet must open the column id as text: of a number it keeps 15 digits';

function formatOf(name: string | undefined, file = ''): ExportOptions['format'] {
  const ending = extname(file).slice(1).toLowerCase().replace('jsonl', 'ndjson');
  const [named, byName] = [name, ending].map((text) => OUTPUT_FORMATS.find((format) => format === text));
  if (name !== undefined && !named) throw new Stop(`--format must be ${OUTPUT_FORMATS.join(' or ')}`);
  return named ?? byName ?? 'csv';
}

function filtersIn(given: readonly string[]): ExportOptions['filters'] {
  const filters: Record<string, string[]> = {};
  for (const filter of given) {
    const [, name = '', value = ''] = /^([^=]+)=(.+)$/s.exec(filter) ?? [];
    if (name === '') throw new Stop(`--filter ${filter} must be <name>=<value>`);
    // How an export goes on depends on its order.
    if (name === 'sort' || name === 'fields') throw new Stop(`Use --${name} ${value} in place of --filter ${filter}`);
    filters[name] = [...(filters[name] ?? []), value];
  }
  return filters as ExportOptions['filters'];
}

const OPTIONS = {
  ...{ url: TEXT, file: TEXT, format: TEXT, ...TOKEN_OPTIONS },
  ...{ fields: TEXTS, bom: FLAG, sort: TEXTS, filter: TEXTS },
};

function readExport() {
  const { sort = [], filter = [], fields = [], bom: hasMark, ...others } = readOptions(OPTIONS, USAGE);
  const url = readUrl(others.url, USAGE);
  const format = formatOf(others.format, others.file);
  if (hasMark && format !== 'csv') throw new Stop('--bom is for CSV');
  const asked = { format, hasMark, sort, filters: filtersIn(filter), fields: fields as ExportOptions['fields'] };
  return { ...others, url, asked };
}

/**
 * Where nothing can go on, a line says that the export was cut off. It is neither JSON nor CSV with these columns, so no program takes it for
 * a user. A terminal would obey what a text of a user tells it.
 */
async function* alone(lines: AsyncGenerator<string>, done: Export, isTerminal: boolean) {
  for await (const line of lines) yield isTerminal ? printable(line.replace(/\r\n$/, '\n')) : line;
  if (done.failure && done.total !== undefined)
    yield `The export was cut off after ${done.ids.size} of ${done.total} users\r\n`;
}

/** Nothing is opened before the service has answered. @throws {Stop} when not all users could be written */
async function write(lines: AsyncGenerator<string>, open: () => NodeJS.WritableStream, done: Export): Promise<void> {
  const { value: first = '' } = await lines.next();
  if (first === '' && done.failure) throw done.failure;
  async function* all() {
    yield first;
    yield* lines;
  }
  // The output failed, not the service: the disk is full, or the reader has gone.
  await pipeline(all, open()).catch((error) => {
    throw new Stop(`Cannot write: ${reasonOf(error)}`, { cause: error });
  });
  if (done.failure) throw done.failure;
}

async function main(): Promise<number> {
  const { url, file, asked, ...given } = readExport();
  const service = await openService(url, { token: await tokenIn(given) });
  const start = systemRuntime.monotonic();
  const part = partOf(file, { url, ...asked });
  const done = part === undefined ? { ids: new Set<number>() } : await takePart(part, asked.format);
  if (done.ids.size > 0) say(`Going on behind ${counted(done.ids.size, 'user')} in ${part}`);
  const goOn = () => part && done.ids.size > 0 && say(`The same command goes on behind the users in ${part}`);
  const progress = createProgress(goOn);
  const onProgress = (users: number, total: number) => progress.update('users', users, total);
  const lines = exportUsers({ ...asked, service, onProgress, say: progress.say }, done);
  const open = () =>
    file === undefined
      ? process.stdout
      : createWriteStream(part ?? file, { flags: part ? 'a' : 'w', mode: PRIVATE }).on('open', makePrivate);
  await write(part ? lines : alone(lines, done, file === undefined && process.stdout.isTTY), open, done)
    .finally(() => progress.stop())
    .catch((error) => {
      goOn();
      throw error;
    });
  if (part !== undefined && file !== undefined) renameSync(part, file);
  const seconds = (systemRuntime.monotonic() - start) / 1_000;
  if (asked.format === 'csv' && file !== undefined) say(IDS);
  say(`${counted(done.ids.size, 'user')} in ${seconds.toFixed(1)} s`);
  return 0;
}

runMain(main, 1);
