/** `npm run openapi`: writes the document and its types. A test fails when the document is out of date. */
import { mkdirSync, writeFileSync } from 'node:fs';
import { FLAG, readOptions } from '../program/options.ts';
import { runMain } from '../program/stop.ts';
import { documentText, typesText } from './document.ts';

const USAGE = `Usage: npm run openapi -- [--types]
  --types  only the types, which are not committed: npm run types makes them before it checks all others`;

function write(file: string, content: string): void {
  writeFileSync(file, content);
  process.stdout.write(`${file}\n`);
}

async function main(): Promise<number> {
  const { types } = readOptions({ types: FLAG }, USAGE);
  if (!types) write('docs/openapi.json', documentText());
  mkdirSync('.local', { recursive: true });
  write('.local/openapi.d.ts', await typesText());
  return 0;
}

runMain(main, 1);
