/** `npm run bench:start` writes its table into bench/README.md. */
import { execFileSync } from 'node:child_process';
import { statSync } from 'node:fs';
import { type BuildOptions, build } from 'esbuild';
import { ROUTES } from '../lib/http/routes.ts';
import { FUNCTIONS } from '../tests/support/bundles.ts';
import { event } from '../tests/support/events.ts';
import { BUNDLE, PACKAGED } from '../tools/deploy/bundle.ts';
import { readOptions } from '../tools/import/options.ts';
import { orEnd } from '../tools/import/stop.ts';
import { openData } from './data.ts';
import { median } from './figures.ts';
import { replaceSection, table } from './markdown.ts';

const ROUNDS = 21;
/** How many users are stored: what lists reads a base of them before its first answer. */
const USERS = 100_000;
/** How many times as much processor time as a bare client a function may take to load, and for its first answer. */
const LIMITS = [1.18, 2.5];

const BARE = 'a bare client';
const CLIENT = `
  import { DynamoDBClient, GetItemCommand, QueryCommand, TransactWriteItemsCommand } from '@aws-sdk/client-dynamodb';
  const client = new DynamoDBClient({});
  export const commands = [QueryCommand, TransactWriteItemsCommand];
  export const handler = () => client.send(new GetItemCommand({ TableName: 'users', Key: { id: { N: '1' } } }));`;

const optionsOf = (name: string): BuildOptions =>
  name === BARE
    ? { ...BUNDLE, external: [], stdin: { contents: CLIENT, resolveDir: '.' } }
    : { ...PACKAGED, entryPoints: [`functions/${name}.ts`] };

const BUNDLES = [BARE, ...FUNCTIONS].map((name) => ({
  name,
  file: `./.local/start/${name}.cjs`,
  found: [] as number[][],
}));

/** A stream sends few users. */
const QUERIES: Record<string, string> = { searchUsers: 'q=ann', listAllUsers: 'country=IS' };

/** A first request: about a user who is missing, if it is about one. None for functions that are no endpoint. */
function firstEvent(name: string): unknown {
  const route = ROUTES.find(({ operation }) => operation === name);
  if (!route) return name === BARE ? {} : undefined;
  const { method: httpMethod, path: resource } = route;
  const headers = { 'Content-Type': httpMethod === 'PATCH' ? 'application/merge-patch+json' : 'application/json' };
  const body = /^P/.test(httpMethod) ? '{"name":"Ann"}' : null;
  const pathParameters = { id: '1', file: 'index.css' };
  return event(QUERIES[name] ?? '', { httpMethod, resource, headers, body, pathParameters });
}

/**
 * Without TLS the SDK imports node:http at its first call, and by that all of fetch. At a stage it does not. What begins while a bundle is
 * loaded, such as the reading of the base, counts as a part of the first answer.
 */
const PROGRAM = `
  const [, file, event] = process.argv;
  const usedSince = (start) => Object.values(process.cpuUsage(start)).reduce((sum, each) => sum + each);
  import('node:http').then(async () => {
    const beforeLoad = process.cpuUsage();
    const { handler } = require(file);
    const used = [usedSince(beforeLoad)];
    const beforeAnswer = process.cpuUsage();
    if (event) await handler(JSON.parse(event), {}).then(() => used.push(usedSince(beforeAnswer)));
    process.stdout.write(JSON.stringify(used), () => process.exit());
  });`;

/** The microseconds of processor time that a new process takes to load a bundle, and then for its first answer. */
function timeStart({ name, file }: (typeof BUNDLES)[number]): number[] {
  const options = ['-e', PROGRAM, file, JSON.stringify(firstEvent(name)) ?? ''];
  return JSON.parse(execFileSync(process.execPath, options, { encoding: 'utf8' }).split('\n').at(-1) ?? '');
}

/** Bundles take turns, so that a change in the speed of the machine meets all of them. */
function timeInTurn(): void {
  for (let round = 0; round <= ROUNDS; round++) {
    for (const bundle of BUNDLES) {
      const used = timeStart(bundle);
      // The first round only brings the files into the cache of the system.
      if (round > 0) bundle.found.push(used);
    }
    process.stderr.write(`round ${round} of ${ROUNDS}\n`);
  }
}

orEnd(() => readOptions({}, 'Usage: npm run bench:start'));
const store = await openData(USERS);
Object.assign(process.env, {
  USERS_TABLE: store.database.tables.users,
  DIRECTORY_TABLE: store.database.tables.directory,
  AWS_ENDPOINT_URL_DYNAMODB: store.endpoint,
  EVENT_BUS: 'events',
  OIDC_ISSUER: 'none',
  OIDC_AUDIENCE: 'users',
});
await Promise.all(BUNDLES.map(({ name, file }) => build({ ...optionsOf(name), outfile: file })));
timeInTurn();
await store.stop();
/** 0 for what gives no answer. */
const medianOf = (used: number[]): number => (used.length > 0 ? median(used) : 0);
const medians = BUNDLES.map(({ found }) => LIMITS.map((_, i) => medianOf(found.flatMap((times) => times[i] ?? []))));
const ratios = medians.map((each) => each.map((time, i) => time / (medians[0]?.[i] || 1)));
const rows = BUNDLES.map(({ name, file }, i) => {
  const shown = ratios[i]?.map((ratio) => (ratio > 0 ? `${ratio.toFixed(2)} ×` : '–')) ?? [];
  return [name, String(Math.round(statSync(file).size / 1_024)), ...shown];
});
const shown = `${table(['Function', 'Bundle, KB', 'To load', 'First answer'], rows)}\n\nMedians of ${ROUNDS} new processes.`;
replaceSection('bench/README.md', 'start', shown);
if (ratios.some((each) => LIMITS.some((limit, i) => (each[i] ?? 0) > limit)))
  throw new Error(`A function takes more than ${LIMITS.join(' and ')} times what a bare client takes`);
