/** `npm run openapi`: writes the document, its types, and the table of errors. A test fails when one is out of date. */
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { FLAG, readOptions } from '../program/options.ts';
import { runMain } from '../program/stop.ts';
import { documentText, typesText } from './document.ts';
import { withProblems } from './problems.ts';

const USAGE = `Usage: npm run openapi -- [--types]
  --types  only the types, which are not committed: npm run types makes them before it checks all others`;

function write(file: string, content: string): void {
  writeFileSync(file, content);
  process.stdout.write(`${file}\n`);
}

async function main(): Promise<number> {
  const { types } = readOptions({ types: FLAG }, USAGE);
  if (!types) {
    write('docs/openapi.json', documentText());
    write('docs/client.md', withProblems(readFileSync('docs/client.md', 'utf8')));
  }
  mkdirSync('.local', { recursive: true });
  write('.local/openapi.d.ts', await typesText());
  return 0;
}

runMain(main, 1);
