/** `npm run bench:start`: see bench/README.md. */
import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { SingleBar } from 'cli-progress';
import { build } from 'esbuild';
import { unzipSync } from 'fflate';
import { bundleOptions } from '../tests/support/bundles.ts';
import { replaceSection, table } from './markdown.ts';

const ROUNDS = 41;
/** How many times as long as a bare client a function may take to load. */
const LIMIT = 1.25;

interface Bundle {
  name: string;
  file: string;
  zipBytes?: number;
  /** What the template sets for the function. */
  env: Record<string, string>;
}

interface FunctionResource {
  Type: string;
  Properties: { Handler: string; Code: { S3Key: string }; Environment?: { Variables: Record<string, unknown> } };
}

/** Packages everything that is deployed, without credentials, and unpacks each function into its own folder. */
function packageFunctions(folder: string): Bundle[] {
  const env = Object.fromEntries(Object.entries(process.env).filter(([name]) => !name.startsWith('AWS_')));
  const target = join(folder, 'package');
  const program = ['node_modules/serverless/bin/serverless.js', 'package', '--stage', 'dev', '--package', target];
  const issuer = { OIDC_ISSUER: 'https://id.example.com', OIDC_AUDIENCE: 'users' };
  execFileSync(process.execPath, program, { env: { ...env, ...issuer }, stdio: ['ignore', 'ignore', 'inherit'] });
  const template = JSON.parse(readFileSync(join(target, 'cloudformation-template-update-stack.json'), 'utf8'));
  return Object.values<FunctionResource>(template.Resources)
    .filter(({ Type }) => Type === 'AWS::Lambda::Function')
    .map(({ Properties: { Handler, Code, Environment } }) => {
      const name = basename(Code.S3Key, '.zip');
      const zip = join(target, `${name}.zip`);
      for (const [path, content] of Object.entries(unzipSync(readFileSync(zip)))) {
        const file = join(folder, name, path);
        mkdirSync(dirname(file), { recursive: true });
        writeFileSync(file, content);
      }
      const variables = Object.entries(Environment?.Variables ?? {}).map(([key, value]) => [key, String(value)]);
      return {
        name,
        file: join(folder, name, Handler.replace(/\.\w+$/, '.cjs')),
        zipBytes: statSync(zip).size,
        env: Object.fromEntries(variables),
      };
    });
}

const BARE = `
  import { DynamoDBClient, GetItemCommand, QueryCommand, TransactWriteItemsCommand } from '@aws-sdk/client-dynamodb';
  export const client = new DynamoDBClient({});
  export const handler = () => [GetItemCommand, QueryCommand, TransactWriteItemsCommand];`;

/** Bundles a client and nothing else, with these options. */
async function bundleBare(folder: string, name: string, options: ReturnType<typeof bundleOptions>): Promise<Bundle> {
  const file = join(folder, `${name.replaceAll(/\W+/g, '-')}.cjs`);
  await build({ ...options, outfile: file, stdin: { contents: BARE, resolveDir: process.cwd() } });
  return { name, file, env: {} };
}

const LOAD = `
  const start = performance.now();
  require(process.argv[1]);
  process.stdout.write(String(performance.now() - start));`;

/** How many milliseconds a new process takes to load a bundle. */
function timeLoad({ file, env }: Bundle): number {
  const more = {
    AWS_REGION: 'eu-central-1',
    AWS_ACCESS_KEY_ID: 'none',
    AWS_SECRET_ACCESS_KEY: 'none',
  };
  return Number(execFileSync(process.execPath, ['-e', LOAD, file], { env: { ...env, ...more }, encoding: 'utf8' }));
}

/** Bundles take turns, and each round begins with another one, so that a change in the speed of the machine meets all of them. */
function timeInTurn(bundles: readonly Bundle[]): number[][] {
  const timed = bundles.map((bundle) => ({ bundle, times: [] as number[] }));
  const bar = new SingleBar({
    format: '{bar} {value}/{total} loads, {eta_formatted} left',
    noTTYOutput: true,
    notTTYSchedule: 5_000,
  });
  bar.start((ROUNDS + 1) * bundles.length, 0);
  for (let round = 0; round <= ROUNDS; round++) {
    const first = round % bundles.length;
    for (const { bundle, times } of [...timed.slice(first), ...timed.slice(0, first)]) {
      const time = timeLoad(bundle);
      // The first round only brings the files into the cache of the system.
      if (round > 0) times.push(time);
      bar.increment();
    }
  }
  bar.stop();
  return timed.map(({ times }) => times);
}

const median = (values: readonly number[]): number =>
  values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? Number.NaN;

const kilobytes = (bytes: number): string => Math.round(bytes / 1_024).toLocaleString('en-US');

async function measure(folder: string) {
  const options = bundleOptions();
  const { alias: _, ...withoutAlias } = options;
  const bundles = [
    await bundleBare(folder, 'a bare client', options),
    await bundleBare(folder, "a bare client with the SDK's own search for credentials", withoutAlias),
    ...packageFunctions(folder),
  ];
  const medians = timeInTurn(bundles).map(median);
  return bundles.map((bundle, i) => ({ ...bundle, ratio: (medians[i] ?? Number.NaN) / (medians[0] ?? Number.NaN) }));
}

const folder = mkdtempSync(join(tmpdir(), 'start-'));
try {
  const measured = await measure(folder);
  const rows = measured.map(({ name, file, zipBytes, ratio }) => [
    name,
    kilobytes(statSync(file).size),
    zipBytes === undefined ? '' : kilobytes(zipBytes),
    `${ratio.toFixed(2)} ×`,
  ]);
  const worst = measured.filter(({ zipBytes }) => zipBytes).reduce((a, b) => (b.ratio > a.ratio ? b : a));
  const times = table(['Function', 'Bundle, KB', 'Zip, KB', 'Time to load'], rows);
  const found = `Medians of ${ROUNDS} loads each, in new processes of Node ${process.versions.node}, as multiples of the bare client's.`;
  process.stdout.write(`\n${times}\n\n${found}\n`);
  replaceSection('bench/README.md', 'start', `${times}\n\n${found}`);
  if (worst.ratio > LIMIT) {
    process.stderr.write(`${worst.name} takes ${worst.ratio.toFixed(2)} × a bare client, which is above ${LIMIT} ×\n`);
    process.exitCode = 1;
  }
} finally {
  rmSync(folder, { recursive: true });
}
