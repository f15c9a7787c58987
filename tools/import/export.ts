/** `npm run export -- --url https://… > users.csv`: writes all users of a running service to standard output. */
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { LISTINGS } from '../../lib/http/listingRules.ts';
import { systemRuntime } from '../../lib/runtime.ts';
import { openService } from './client.ts';
import { exportUsers, type Filters, OUTPUT_FORMATS, type OutputFormat } from './exportUsers.ts';
import { readOptions, readUrl } from './options.ts';
import { openOutput } from './output.ts';
import { type Progress, showProgress } from './progress.ts';
import { reasonOf, Stop, say, stopOnSignal } from './stop.ts';

const USAGE = `Usage: npm run export -- --url <base URL> > <file>
  --format csv|ndjson  CSV by default
  --sort <property>    in the format of the service, such as lastName,desc; may be repeated
  --filter <name=value>  such as status=active, age.gte=18 or createdAt.gte=2026-11-01; may be repeated
  --token <token>      otherwise TOKEN, or OIDC_ISSUER, OIDC_CLIENT_ID and OIDC_CLIENT_SECRET in the environment`;

/** The service ignores parameters that it does not know, so a filter with another name would be all users. */
function filtersIn(given: readonly string[]): Filters {
  const filters: Record<string, string[]> = {};
  for (const filter of given) {
    const [, name = '', value = ''] = /^([^=]+)=(.+)$/s.exec(filter) ?? [];
    if (!LISTINGS.listAllUsers.filters.some((known) => known === name)) {
      const names = LISTINGS.listAllUsers.filters.join(', ');
      throw new Stop(`--filter ${filter} must be <name>=<value>, with one of these names: ${names}`);
    }
    filters[name] = [...(filters[name] ?? []), value];
  }
  return filters as Filters;
}

const isFormat = (format: string): format is OutputFormat => OUTPUT_FORMATS.some((known) => known === format);

const TEXT = { type: 'string' } as const;
const SEVERAL = { type: 'string', multiple: true } as const;
const OPTIONS = { url: TEXT, format: TEXT, token: TEXT, sort: SEVERAL, filter: SEVERAL };

/** Whether the output failed, not the service: the disk is full, or the reader has gone. */
const notWritten = (error: unknown): Stop => new Stop(`Cannot write: ${reasonOf(error)}`, { cause: error });

async function run(): Promise<void> {
  const { url, format = 'csv', sort = [], filter = [], token } = readOptions(OPTIONS, USAGE);
  if (!isFormat(format)) throw new Stop(`--format must be ${OUTPUT_FORMATS.join(' or ')}\n${USAGE}`);
  const filters = filtersIn(filter);
  const service = await openService(readUrl(url, USAGE), { token });
  const start = systemRuntime.monotonic();
  const signal = stopOnSignal();

  let progress: Progress | undefined;
  const onProgress = (users: number, total: number) => {
    progress ??= showProgress(total, systemRuntime);
    progress.update(users, users);
  };
  const exported = exportUsers({ service, format, sort, filters, onProgress, say, signal });
  await pipeline(Readable.from(exported.chunks), openOutput(say))
    .catch((error) => {
      throw notWritten(error);
    })
    .finally(() => progress?.stop());
  const users = exported.result();
  const seconds = (systemRuntime.monotonic() - start) / 1_000;
  say(`${users.toLocaleString('en-US')} users in ${seconds.toFixed(1)} s`);
}

run().catch((error) => {
  say(reasonOf(error));
  process.exitCode = 1;
});
