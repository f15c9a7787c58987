/** `npm run export -- --url https://… --file users.csv`: writes all users of a running service. */
import { createWriteStream } from 'node:fs';
import { pipeline } from 'node:stream/promises';
import { systemRuntime } from '../../lib/runtime.ts';
import { openService } from './client.ts';
import { type Export, type ExportOptions, exportUsers, OUTPUT_FORMATS } from './exportUsers.ts';
import { readOptions, readUrl, TEXT, TEXTS } from './options.ts';
import { makePrivate, PRIVATE } from './privateFile.ts';
import { createProgress } from './progress.ts';
import { counted, printable, reasonOf, runMain, Stop, say } from './stop.ts';
import { TOKEN_OPTIONS, TOKEN_USAGE, tokenIn } from './tokenFile.ts';

const USAGE = `Usage: npm run export -- --url <base URL> --file <file>
  --file <file>        otherwise standard output, after two lines of npm unless it is "npm run --silent export"
  --format csv|ndjson  CSV by default; a spreadsheet must open its ids as text
  --sort <property>    in the format of the service, such as lastName,desc; may be repeated
  --filter <name=value>  such as status=active, age.gte=18 or createdAt.gte=2026-11-01; may be repeated
  ${TOKEN_USAGE}`;

/** Ids have 16 digits from 2027-09-26 on. */
const IDS = 'A spreadsheet must open the column id as text: of a number it keeps 15 digits';

function filtersIn(given: readonly string[]): ExportOptions['filters'] {
  const filters: Record<string, string[]> = {};
  for (const filter of given) {
    const [, name = '', value = ''] = /^([^=]+)=(.+)$/s.exec(filter) ?? [];
    if (name === '') throw new Stop(`--filter ${filter} must be <name>=<value>`);
    filters[name] = [...(filters[name] ?? []), value];
  }
  return filters as ExportOptions['filters'];
}

/** A terminal would obey what a text of a user tells it. */
async function* forTerminal(lines: AsyncGenerator<string>): AsyncGenerator<string> {
  for await (const line of lines) yield printable(line.replace(/\r\n$/, '\n'));
}

const OPTIONS = { url: TEXT, file: TEXT, format: TEXT, ...TOKEN_OPTIONS, sort: TEXTS, filter: TEXTS };

async function main(): Promise<number> {
  const { url, file, format: name = 'csv', sort = [], filter = [], ...given } = readOptions(OPTIONS, USAGE);
  const format = OUTPUT_FORMATS.find((known) => known === name);
  if (!format) throw new Stop(`--format must be ${OUTPUT_FORMATS.join(' or ')}`);
  const filters = filtersIn(filter);
  const service = await openService(readUrl(url, USAGE), { token: await tokenIn(given) });
  const start = systemRuntime.monotonic();
  const progress = createProgress();
  const onProgress = (users: number, total: number) => progress.update('users', users, total);
  const done: Export = { users: 0 };
  const exported = exportUsers({ service, format, sort, filters, onProgress, say: progress.say }, done);
  const lines = file === undefined && process.stdout.isTTY ? forTerminal(exported) : exported;
  // Before the service has answered, the file of an earlier export is left alone.
  const { value: first = '' } = await lines.next();
  if (first === '' && done.failure) throw done.failure;
  async function* all() {
    yield first;
    yield* lines;
  }
  await pipeline(
    all,
    file === undefined ? process.stdout : createWriteStream(file, { mode: PRIVATE }).on('open', makePrivate),
  )
    // The output failed, not the service: the disk is full, or the reader has gone.
    .catch((error) => {
      throw new Stop(`Cannot write: ${reasonOf(error)}`, { cause: error });
    })
    .finally(() => progress.stop());
  if (done.failure) throw done.failure;
  const seconds = (systemRuntime.monotonic() - start) / 1_000;
  if (format === 'csv' && file !== undefined) say(IDS);
  say(`${counted(done.users, 'user')} in ${seconds.toFixed(1)} s`);
  return 0;
}

runMain(main, 1);
