/** `npm run bench:start`: see bench/README.md. */
import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type BuildOptions, build } from 'esbuild';
import { FUNCTIONS } from '../tests/support/bundles.ts';
import { BUNDLE } from '../tools/deploy/bundle.ts';
import { median } from './figures.ts';
import { replaceSection, table } from './markdown.ts';
import { startBar } from './print.ts';

const ROUNDS = 41;
/** How many times as long as a bare client a function may take to load. */
const LIMIT = 1.25;

const BARE = `
  import { DynamoDBClient, GetItemCommand, QueryCommand, TransactWriteItemsCommand } from '@aws-sdk/client-dynamodb';
  export const client = new DynamoDBClient({});
  export const handler = () => [GetItemCommand, QueryCommand, TransactWriteItemsCommand];`;
const stdin = { contents: BARE, resolveDir: '.' };

const { alias: _, ...WITHOUT_ALIAS } = BUNDLE;

/** What is bundled, by name: first a client and nothing else. */
const SOURCES: Record<string, BuildOptions> = {
  'a bare client': { ...BUNDLE, stdin },
  "a bare client with the SDK's own search for credentials": { ...WITHOUT_ALIAS, stdin },
  ...Object.fromEntries(FUNCTIONS.map((name) => [name, { ...BUNDLE, entryPoints: [`functions/${name}.ts`] }] as const)),
};

/** What a stage sets for its functions. */
const ENVIRONMENT = {
  STAGE: 'dev',
  USERS_TABLE: 'users',
  DIRECTORY_TABLE: 'directory',
  CORS_ORIGINS: '*',
  LISTING_BUDGET: '3000',
  HISTORY_DAYS: '7',
  EVENT_BUS: 'events',
  OIDC_ISSUER: 'https://id.example.com',
  OIDC_AUDIENCE: 'users',
  AWS_REGION: 'eu-central-1',
  AWS_ACCESS_KEY_ID: 'none',
  AWS_SECRET_ACCESS_KEY: 'none',
};

const LOAD = `
  const start = performance.now();
  require(process.argv[1]);
  process.stdout.write(String(performance.now() - start));`;

/** How many milliseconds a new process takes to load a bundle. */
const timeLoad = (file: string): number =>
  Number(execFileSync(process.execPath, ['-e', LOAD, file], { env: ENVIRONMENT, encoding: 'utf8' }));

/** Bundles take turns, and each round begins with another one, so that a change in the speed of the machine meets all of them. */
function timeInTurn(files: readonly string[]): number[][] {
  const timed = files.map((file) => ({ file, found: [] as number[] }));
  const bar = startBar((ROUNDS + 1) * files.length, 'loads');
  for (let round = 0; round <= ROUNDS; round++) {
    const first = round % files.length;
    for (const { file, found } of [...timed.slice(first), ...timed.slice(0, first)]) {
      const time = timeLoad(file);
      // The first round only brings the files into the cache of the system.
      if (round > 0) found.push(time);
      bar.increment();
    }
  }
  bar.stop();
  return timed.map(({ found }) => found);
}

const folder = mkdtempSync(join(tmpdir(), 'start-'));
try {
  const names = Object.keys(SOURCES);
  const files = names.map((_, i) => join(folder, `${i}.cjs`));
  await Promise.all(Object.values(SOURCES).map((options, i) => build({ ...options, outfile: files[i] ?? '' })));
  const medians = timeInTurn(files).map(median);
  const ratios = medians.map((each) => each / (medians[0] ?? Number.NaN));
  const kilobytes = files.map((file) => String(Math.round(statSync(file).size / 1_024)));
  const rows = names.map((name, i) => [name, kilobytes[i] ?? '', `${ratios[i]?.toFixed(2)} ×`]);
  const found = `Medians of ${ROUNDS} loads each, in new processes of Node ${process.versions.node}, as multiples of the bare client's.`;
  const shown = `${table(['Function', 'Bundle, KB', 'Time to load'], rows)}\n\n${found}`;
  process.stdout.write(`\n${shown}\n`);
  replaceSection('bench/README.md', 'start', shown);
  const most = Math.max(...ratios.slice(2));
  if (most > LIMIT) throw new Error(`A function takes ${most.toFixed(2)} × a bare client, which is above ${LIMIT} ×`);
} finally {
  rmSync(folder, { recursive: true });
}
