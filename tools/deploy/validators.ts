import { createRequire } from 'node:module';
import { dirname } from 'node:path';
import { compileFunction } from 'node:vm';
import standaloneCode from 'ajv/dist/standalone/index.js';
import type { Plugin, PluginBuild } from 'esbuild';

type Validators = typeof import('../../lib/http/request/validators.ts');

/** lib/http/request/validators.ts with its current schemas, ready to run. An import would keep the first version. */
async function read({ esbuild }: PluginBuild, file: string): Promise<string> {
  const { outputFiles } = await esbuild.build({
    entryPoints: [file],
    bundle: true,
    platform: 'node',
    format: 'cjs',
    packages: 'external',
    write: false,
    logLevel: 'silent',
  });
  return outputFiles[0]?.text ?? '';
}

/**
 * The code of every validator, by name. All functions are bundled together with the same validators, so these are compiled once, for the
 * first function.
 */
function codesOf(source: string): Map<string, string> {
  const module: { exports: unknown } = { exports: {} };
  const run = compileFunction(source, ['module', 'exports', 'require']);
  run(module, module.exports, createRequire(import.meta.url));
  const { ajv, ...validators } = module.exports as Validators;
  return new Map(Object.entries(validators).map(([name, validator]) => [name, standaloneCode(ajv, validator)]));
}

let known: { source: string; codes: Map<string, string> } | undefined;

/**
 * Bundles the code that ajv generates from the schemas, instead of ajv, which is too slow for a cold start. Each validator
 * becomes a module of its own, so that a function gets only what it uses. The code is generated while a function is
 * bundled, so a service that watches its sources stays up to date.
 */
const standaloneValidators: Plugin = {
  name: 'standalone-validators',
  setup(build) {
    build.onLoad({ filter: /[/\\]lib[/\\]http[/\\]request[/\\]validators\.ts$/ }, async ({ path, suffix }) => {
      const source = await read(build, path);
      if (known?.source !== source) known = { source, codes: codesOf(source) };
      const code = known.codes;
      const all = [...code.keys()].map((name) => `export { validate as ${name} } from './validators.ts?${name}';`);
      // The options of ajv give the name `formats`.
      const one = ["import * as formats from './formats.ts';", code.get(suffix.slice(1))];
      return { contents: (suffix === '' ? all : one).join('\n'), resolveDir: dirname(path) };
    });
  },
};

export default standaloneValidators;
