import { copyFileSync, mkdirSync, readdirSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { copyJars } from '../java.ts';
import type { PythonProgram } from '../python.ts';
import { type Client, folderOf } from './generate.ts';
import { run } from './run.ts';

const here = (file: string): string => fileURLToPath(new URL(file, import.meta.url));

/** The packages that the client in Python needs. */
export const PACKAGES: PythonProgram = {
  name: 'pydantic',
  user: 'The test of generated clients',
  loss: 'no client was generated',
  requirements: here('requirements.txt'),
  folder: '.local/clients',
};

/** Compiles, too, what the client is used by. */
export function compileGo(): void {
  const folder = folderOf('go');
  mkdirSync(join(folder, 'use'));
  copyFileSync(here('use.go'), join(folder, 'use', 'main.go'));
  run('go', '-C', folder, 'mod', 'tidy');
  run('go', '-C', folder, 'vet', '...');
}

export const useGo = (url: string): void => run('go', '-C', folderOf('go'), 'run', './use', url);

const classPathOf = (client: Client): string =>
  [join(folderOf(client), 'jars', '*'), join(folderOf(client), 'classes')].join(delimiter);

/** With the archives that its own file for Maven names. */
export function compileJava(client: Client): void {
  const folder = folderOf(client);
  copyJars({ name: client, pom: join(folder, 'pom.xml'), folder: join(folder, 'jars') }, 'compile');
  const sources = readdirSync(join(folder, 'src'), { recursive: true, encoding: 'utf8' });
  const files = sources.filter((file) => file.endsWith('.java')).map((file) => join(folder, 'src', file));
  run('javac', '-nowarn', '-d', join(folder, 'classes'), '-cp', classPathOf(client), ...files);
}

export const useJava = (client: Client, url: string): void =>
  run('java', '-ea', '-cp', classPathOf(client), here('Use.java'), url);

export function compileTypeScript(): void {
  const options = [
    '--noEmit',
    '--strict',
    '--skipLibCheck',
    '--target',
    'es2022',
    '--module',
    'esnext',
    '--moduleResolution',
    'bundler',
  ];
  run(process.execPath, 'node_modules/typescript/bin/tsc', ...options, join(folderOf('typescript'), 'index.ts'));
}

/** Python compiles what it imports. */
export const compilePython = (python: string): void => run(python, here('import_all.py'), folderOf('python'));
