import { readdirSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join, parse } from 'node:path';
import { fileURLToPath } from 'node:url';
import { compileFunction } from 'node:vm';
import type { build as Build, Plugin } from 'esbuild';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));

const PURE = /^export const handler = \/\* @__PURE__ \*\/ /m;

/** The names of the endpoints: the files of functions/ that have a route. @throws {Error} for a handler that would be made with a description */
function endpointNames(): string[] {
  const sources = readdirSync(join(ROOT, 'functions')).map((file) => {
    return { name: parse(file).name, text: readFileSync(join(ROOT, 'functions', file), 'utf8') };
  });
  const endpoints = sources.filter(({ text }) => /^export const route\b/m.test(text));
  const unmarked = endpoints.find(({ text }) => !PURE.test(text));
  if (unmarked) throw new Error(`functions/${unmarked.name}.ts: write "export const handler = /* @__PURE__ */ …"`);
  return endpoints.map(({ name }) => name);
}

/** The source of a module with one part of each endpoint, by name: never with a handler, which would connect to the tables. */
function allOf(part: string, make = ''): string {
  const names = endpointNames();
  const imports = names.map((name) => `import { ${part} as ${name} } from './functions/${name}.ts';`);
  return `${imports.join('\n')}\nexport const all = ${make}({ ${names.join(', ')} });`;
}

/** All descriptions, each with the components of its query: only beside these it is known which schemas have a name. */
export const descriptionsSource = (): string =>
  `import { allDescribed } from './lib/openapi/described.ts';\n${allOf('about', 'allDescribed')}`;

/** Leaves modules out, which nothing that is wanted needs: they are large, wait for something while they are loaded, or are not made yet. */
const without = (isUnwanted: RegExp, isWanted?: RegExp): Plugin => ({
  name: 'without',
  setup(build) {
    build.onResolve({ filter: isUnwanted }, ({ path }) =>
      isWanted?.test(path) ? undefined : { path, external: true, sideEffects: false },
    );
  },
});

/** Modules that handlers alone need. */
const OF_HANDLERS =
  /^(?:@aws-sdk|@smithy|ajv|csv-stringify|jose)\b|[/\\](?:roots[/\\]\w+|admin[/\\]\w+|openapi[/\\](?:document|operations))\.ts$/;

/** Bundles a source that exports `all`, and runs it. @throws {BuildFailure} when it has errors */
async function allIn(source: string, plugin: Plugin, build: typeof Build): Promise<unknown> {
  const { outputFiles } = await build({
    stdin: { contents: source, resolveDir: ROOT },
    absWorkingDir: ROOT,
    bundle: true,
    platform: 'node',
    format: 'cjs',
    plugins: [plugin],
    write: false,
    logLevel: 'silent',
  });
  const module: { exports: { all?: unknown } } = { exports: {} };
  const run = compileFunction(outputFiles[0]?.text ?? '', ['module', 'exports', 'require']);
  run(module, module.exports, createRequire(import.meta.url));
  return module.exports.all;
}

/** The descriptions of all endpoints, by name. */
export const readDescriptions = (build: typeof Build): Promise<unknown> =>
  allIn(descriptionsSource(), without(OF_HANDLERS), build);

/** The routes of all endpoints, by name. They need nothing but what is beside their type. */
export const readRoutes = (build: typeof Build): Promise<unknown> =>
  allIn(allOf('route'), without(/./, /^\.\/functions\/|[/\\]http[/\\]endpoint\.ts$/), build);
