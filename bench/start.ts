/** `npm run bench:start` writes its table into bench/figures.md. */
import { readFileSync, statSync } from 'node:fs';
import { type BuildOptions, build } from 'esbuild';
import { parse } from 'yaml';
import { ROUTES } from '../lib/http/routes.ts';
import { BUNDLE, packaged } from '../tools/deploy/bundle.ts';
import { readInteger, readOptions, TEXT } from '../tools/program/options.ts';
import { orEnd } from '../tools/program/stop.ts';
import { event } from '../tools/samples/events.ts';
import { openData } from './data.ts';
import { median } from './figures.ts';
import { number, replaceSection, table } from './markdown.ts';
import { measureStart, type Used } from './oneStart.ts';
import { type Tls, withTls } from './tls.ts';

const ROUNDS = '21';
const USAGE = `Usage: npm run bench:start -- [--rounds 21]
Starts each packaged bundle, and writes the medians into bench/figures.md.
  --rounds <n>  the number of starts of each, 21 by default`;
const rounds = orEnd(() => {
  const options = readOptions({ rounds: { ...TEXT, default: ROUNDS } }, USAGE);
  return readInteger('--rounds', options.rounds, 1, USAGE);
});
/** How many users are stored: what lists reads a base of them before its first answer. */
const USERS = 100_000;
const MILLION = 1_000_000;
/** Of the bare client's processor time: to load, and for the first answer, of functions that do not list; and whole, of those that do. */
const LIMITS = [1.2, 2.5];
const LIST_LIMITS = new Map([
  [USERS, 2.2],
  [MILLION, 6],
]);
/** The rate of a slow link to the store. */
const MEGABYTES_A_SECOND = 60;

const BARE = 'a bare client';
const CLIENT = `
  import { DynamoDBClient, GetItemCommand, QueryCommand, TransactWriteItemsCommand } from '@aws-sdk/client-dynamodb';
  const client = new DynamoDBClient({});
  export const commands = [QueryCommand, TransactWriteItemsCommand];
  export const handler = () => client.send(new GetItemCommand({ TableName: 'users', Key: { id: { N: '1' } } }));`;

const optionsOf = (name: string): BuildOptions =>
  name === BARE
    ? { ...BUNDLE, external: [], stdin: { contents: CLIENT, resolveDir: '.' } }
    : packaged(`functions/${name}.ts`);

const LISTED = 'listUsers';
const FUNCTIONS = Object.keys(parse(readFileSync('serverless.yml', 'utf8'), { logLevel: 'silent' }).functions);
const BUNDLES = [BARE, ...FUNCTIONS];
const fileOf = (name: string): string => `./.local/start/${name}.cjs`;
const lists = (name: string): boolean =>
  name !== BARE && readFileSync(`functions/${name}.ts`, 'utf8').match(/\/roots\/(listing|edits)\.ts/) !== null;

/** A stream sends few users, and an upsert needs somebody. */
const QUERIES: Record<string, string> = {
  searchUsers: 'keyword=ann',
  listAllUsers: 'country=IS',
  upsertUser: 'externalId=ann',
};

const BODIES: Record<string, string> = { editUsers: '{"patch":{"age":1},"dryRun":true,"everybody":true}' };

/** A first request: about a user who is missing, if it is about one. None for functions that are no endpoint. */
function firstEvent(name: string): unknown {
  const route = ROUTES.find(({ operation }) => operation === name);
  if (!route) return name === BARE ? {} : undefined;
  const { method: httpMethod, path: resource } = route;
  const headers = { 'Content-Type': httpMethod === 'PATCH' ? 'application/merge-patch+json' : 'application/json' };
  const body = /^P/.test(httpMethod) ? (BODIES[name] ?? '{"name":"Ann","operations":[]}') : null;
  const pathParameters = { id: '1', file: 'index.css' };
  return event(QUERIES[name] ?? '', { httpMethod, resource, headers, body, pathParameters });
}

interface Start {
  used: Used;
  /** The bytes that the store has sent. */
  received: number;
}

/** Bundles take turns, so that a change in the speed of the machine meets all of them. */
async function startInTurn(names: readonly string[], { certificate, sent }: Tls): Promise<Map<string, Start[]>> {
  const found = new Map(names.map((name) => [name, [] as Start[]]));
  for (let round = 0; round <= rounds; round++) {
    for (const name of names) {
      const before = sent();
      const used = await measureStart(fileOf(name), firstEvent(name), certificate);
      // The first round only brings the files into the cache of the system.
      if (round > 0) found.get(name)?.push({ used, received: sent() - before });
    }
    process.stderr.write(`round ${round} of ${rounds}\n`);
  }
  return found;
}

async function measure(users: number, names: readonly string[]): Promise<Map<string, Start[]>> {
  const store = await openData(users);
  const tls = await withTls(store.endpoint);
  process.env.AWS_ENDPOINT_URL_DYNAMODB = tls.endpoint;
  try {
    return await startInTurn(names, tls);
  } finally {
    tls.stop();
    await store.stop();
  }
}

/** Milliseconds to load, for the first answer, and of both; 0 for what gives no answer. */
function mediansOf(starts: readonly Start[] = []): number[] {
  const each = (of: (used: number[]) => number | undefined): number => {
    const found = starts.flatMap(({ used }) => of(used) ?? []);
    return found.length > 0 ? median(found) / 1_000 : 0;
  };
  return [each(([load]) => load), each(([, answer]) => answer), each(([load = 0, answer]) => answer && load + answer)];
}

const ratiosOf = (found: Map<string, Start[]>, name: string): number[] => {
  const bare = mediansOf(found.get(BARE));
  return mediansOf(found.get(name)).map((time, i) => time / (bare[i] || 1));
};

const ratioText = (ratio: number, most = ratio): string =>
  ratio > most ? `**${ratio.toFixed(2)} × ✗**` : ratio > 0 ? `${ratio.toFixed(2)} ×` : '–';

/** A start in milliseconds: what it computes, and the time of its bytes on a link, as if neither went on beside the other. */
function startRow(users: number, found: Map<string, Start[]>, name: string): string[] {
  const times = mediansOf(found.get(name));
  const ratios = ratiosOf(found, name);
  const megabytes = median((found.get(name) ?? []).map(({ received }) => received)) / 1e6;
  const cells = times.map(
    (time, i) => `${number(time)} · ${ratioText(ratios[i] ?? 0, i === 2 ? LIST_LIMITS.get(users) : undefined)}`,
  );
  const whole = (times[2] ?? 0) + (1_000 * megabytes) / MEGABYTES_A_SECOND;
  return [`${name}, ${number(users)} users`, ...cells, number(megabytes), number(whole)];
}

Object.assign(process.env, {
  USERS_TABLE: 'users',
  DIRECTORY_TABLE: 'directory',
  EVENT_BUS: 'events',
  OIDC_ISSUER: 'none',
  OIDC_AUDIENCE: 'users',
});
await Promise.all(BUNDLES.map((name) => build({ ...optionsOf(name), outfile: fileOf(name) })));
const found = await measure(USERS, BUNDLES);
const million = await measure(MILLION, [BARE, LISTED]);
const rows = BUNDLES.map((name) => [
  name,
  String(Math.round(statSync(fileOf(name)).size / 1_024)),
  ...ratiosOf(found, name).map((ratio, i) => ratioText(ratio, lists(name) ? undefined : LIMITS[i])),
]);
const starts = [
  startRow(USERS, found, BARE),
  startRow(USERS, found, LISTED),
  startRow(MILLION, million, BARE),
  startRow(MILLION, million, LISTED),
];
const shown = [
  table(['Function', 'Bundle, KB', 'To load', 'First answer', 'Both'], rows),
  table(
    [
      'Milliseconds · ÷ a bare client',
      'To load',
      'First answer',
      'Both',
      'MB received',
      'Both, and these at 60 MB/s, ms',
    ],
    starts,
  ),
  `Medians of ${rounds} new processes.`,
];
replaceSection('bench/figures.md', 'start', shown.join('\n\n'));
const slow = BUNDLES.filter(
  (name) => !lists(name) && LIMITS.some((limit, i) => (ratiosOf(found, name)[i] ?? 0) > limit),
);
if (slow.length > 0)
  throw new Error(`More than ${LIMITS.join(' and ')} times what a bare client takes: ${slow.join(', ')}`);
