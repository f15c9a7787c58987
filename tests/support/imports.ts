import { globSync, readFileSync } from 'node:fs';
import { posix } from 'node:path';
import { ROOT } from './bundles.ts';

/** An import of another file of the project. */
interface Import {
  file: string;
  /** Whether it goes away when the types are stripped. */
  isType: boolean;
}

/** The imports of each file. Files are named by their paths in the project. */
export type Imports = ReadonlyMap<string, readonly Import[]>;

/** Biome puts each at the beginning of a line. `import { type A }` stays when the types are stripped, so it is no type import. */
const STATEMENT = /^(?:import|export)\s+(type\s)?(?:[^;'"]*?\sfrom\s+)?'(\.[^']+)'/gm;

const EXPRESSION = /(\btypeof\s+)?\bimport\('(\.[^']+)'\)/g;

function importsOf(file: string): Import[] {
  const source = readFileSync(posix.join(ROOT, file), 'utf8');
  return [...source.matchAll(STATEMENT), ...source.matchAll(EXPRESSION)].map(([, type, path = '']) => ({
    file: posix.join(posix.dirname(file), path),
    isType: type !== undefined,
  }));
}

export function readImports(): Imports {
  const files = globSync('{admin,functions,lib,schemas,tools}/**/*.{ts,tsx}', { cwd: ROOT }).toSorted();
  return new Map(files.map((file) => [file, importsOf(file)]));
}

/** A file, and every file that it imports directly or through others. */
export function reachedFrom(imports: Imports, file: string, withTypes: boolean): string[] {
  const reached = new Set([file]);
  for (const each of reached) {
    for (const { file: next, isType } of imports.get(each) ?? []) if (withTypes || !isType) reached.add(next);
  }
  return [...reached];
}

/** The imports in files like `from` of files like `to`, each as `a imports b`. */
export const importsBetween = (imports: Imports, from: RegExp, to: RegExp): string[] =>
  [...imports].flatMap(([file, all]) =>
    from.test(file) ? all.filter((each) => to.test(each.file)).map((each) => `${file} imports ${each.file}`) : [],
  );
