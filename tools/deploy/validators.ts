import { createRequire } from 'node:module';
import { dirname } from 'node:path';
import { compileFunction } from 'node:vm';
import standaloneCode from 'ajv/dist/standalone/index.js';
import type { BuildFailure, PartialMessage, Plugin, PluginBuild } from 'esbuild';

type Validators = typeof import('../../lib/http/request/validators.ts');

/** Distinguishes the modules of single validators from files. */
const NAMESPACE = 'validator';

/** lib/http/request/validators.ts with its current schemas, ready to run. An import would keep the first version. */
async function read({ esbuild }: PluginBuild, file: string): Promise<{ source: string; files: string[] }> {
  const { outputFiles, metafile } = await esbuild.build({
    entryPoints: [file],
    bundle: true,
    platform: 'node',
    format: 'cjs',
    packages: 'external',
    write: false,
    metafile: true,
    logLevel: 'silent',
  });
  return { source: outputFiles[0]?.text ?? '', files: Object.keys(metafile.inputs) };
}

/** The code of every validator, by name. */
function standalone(source: string, file: string): Map<string, string> {
  const module: { exports: unknown } = { exports: {} };
  const run = compileFunction(source, ['module', 'exports', 'require'], { filename: file });
  run(module, module.exports, createRequire(file));
  const { ajv, ...validators } = module.exports as Validators;
  return new Map(Object.entries(validators).map(([name, validator]) => [name, standaloneCode(ajv, validator)]));
}

/** All functions are bundled together with the same validators, so these are compiled once, for the first function. */
let latest: { source: string; code: Map<string, string> } = { source: '', code: new Map() };

function standaloneOnce(source: string, file: string): Map<string, string> {
  if (source !== latest.source) latest = { source, code: standalone(source, file) };
  return latest.code;
}

const isBuildFailure = (error: unknown): error is BuildFailure => error instanceof Error && 'errors' in error;

/** Reports an error in a schema without the stack that esbuild shows for exceptions. */
const messagesOf = (error: unknown): PartialMessage[] =>
  isBuildFailure(error) ? error.errors : [{ text: `A schema is not valid: ${error}` }];

/**
 * Bundles the code that ajv generates from the schemas, instead of ajv, which is too slow for a cold start. Each validator
 * becomes a module of its own, so that a function gets only what it uses. The code is generated while a function is
 * bundled, so a service that watches its sources stays up to date.
 */
const standaloneValidators: Plugin = {
  name: 'standalone-validators',
  setup(build) {
    build.onLoad({ filter: /[/\\]lib[/\\]http[/\\]request[/\\]validators\.ts$/ }, async ({ path }) => {
      try {
        const { source, files } = await read(build, path);
        const code = standaloneOnce(source, path);
        const lines = [...code.keys()].map((name) => `export { validate as ${name} } from '${NAMESPACE}:${name}';`);
        return { contents: lines.join('\n'), resolveDir: dirname(path), watchFiles: files, pluginData: code };
      } catch (error) {
        return { errors: messagesOf(error) };
      }
    });
    build.onResolve({ filter: new RegExp(`^${NAMESPACE}:`) }, ({ path, resolveDir, pluginData }) => {
      const name = path.slice(NAMESPACE.length + 1);
      const code = pluginData.get(name);
      return { path: name, namespace: NAMESPACE, sideEffects: false, pluginData: { code, resolveDir } };
    });
    build.onLoad({ filter: /.*/, namespace: NAMESPACE }, ({ pluginData: { code, resolveDir } }) => ({
      // The options of ajv give the name `formats`.
      contents: `import * as formats from './formats.ts';\n${code}`,
      resolveDir,
    }));
  },
};

export default standaloneValidators;
