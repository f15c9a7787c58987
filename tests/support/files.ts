import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parse } from 'yaml';

/** The folder of the project. */
export const ROOT = fileURLToPath(new URL('../..', import.meta.url));

/** The text of a file of the project. */
export const read = (file: string): string => readFileSync(join(ROOT, file), 'utf8');

/** The content of a file of YAML. The tags of CloudFormation, such as !GetAtt, do not matter. */
export const readYaml = (file: string) => parse(read(file), { logLevel: 'silent' });

/** The scripts of package.json. */
export const SCRIPTS: Readonly<Record<string, string>> = JSON.parse(read('package.json')).scripts;

/** The paths of files in the project, sorted, with slashes on Windows, too, and without packages of npm in any folder. */
export const filesLike = (pattern: string): string[] =>
  globSync(pattern, { cwd: ROOT, exclude: ['**/node_modules/**'] })
    .map((file) => file.replaceAll('\\', '/'))
    .sort();
