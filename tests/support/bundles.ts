import { build, type Metafile } from 'esbuild';
import { type Lists, packaged } from '../../tools/deploy/bundle.ts';
import { filesOf } from '../../tools/deploy/packaging.ts';
import { FOR_UNIQUE_EMAILS, type PermissionWord } from '../../tools/deploy/permissions.ts';
import { ROOT, readYaml } from './files.ts';

interface Service {
  functions: Record<string, { handler: string; permissions: PermissionWord[]; events?: object[] }>;
}

const service: Service = readYaml('serverless.yml');

export const FUNCTIONS = Object.keys(service.functions);

/** The functions that a schedule calls. */
export const SCHEDULED = Object.entries(service.functions)
  .filter(([, { events = [] }]) => events.some((event) => 'schedule' in event))
  .map(([name]) => name);

/** The permissions of a function, in the words of tools/deploy/permissions.ts. */
export const wordsOf = (name: string, hasUniqueEmails = false): PermissionWord[] =>
  (service.functions[name]?.permissions ?? []).filter((word) => hasUniqueEmails || !FOR_UNIQUE_EMAILS.includes(word));

/** The files of a function that are deployed, by path. */
export async function uploaded(name: string): Promise<Record<string, Uint8Array>> {
  const definition = service.functions[name];
  if (!definition) throw new Error(`No function is named ${name}`);
  return (await filesOf(definition)).files;
}

/** A function's bundle, its size, and that of each module in it, in bytes. */
interface Contents {
  bytes: number;
  text: string;
  modules: Record<string, number>;
}

function contentsOf({ outputs }: Metafile, text: string): Contents {
  const [output] = Object.values(outputs);
  if (!output) throw new Error('Nothing was bundled');
  const modules = Object.entries(output.inputs).map(([path, { bytesInOutput }]) => [path, bytesInOutput] as const);
  return { bytes: output.bytes, text, modules: Object.fromEntries(modules.filter(([, bytes]) => bytes > 0)) };
}

/** Bundles a function as for a deployment of a stage with an engine of lists. */
export async function bundle(name: string, lists?: Lists): Promise<Contents> {
  const entry = service.functions[name]?.handler.replace(/\.\w+$/, '.ts');
  if (!entry) throw new Error(`No function is named ${name}`);
  const { metafile, outputFiles } = await build({
    ...packaged(entry, lists),
    absWorkingDir: ROOT,
    write: false,
    metafile: true,
  });
  return contentsOf(metafile, outputFiles[0]?.text ?? '');
}
