/** `npm run openapi`: writes the document and the types for clients. A test fails when they are out of date. */
import { writeFileSync } from 'node:fs';
import { artifacts } from '../../lib/openapi/artifacts.ts';
import { readOptions } from '../program/options.ts';
import { runMain } from '../program/stop.ts';

async function main(): Promise<number> {
  readOptions({}, 'Usage: npm run openapi');
  for (const [file, content] of Object.entries(await artifacts())) {
    writeFileSync(file, content);
    process.stdout.write(`${file}\n`);
  }
  return 0;
}

runMain(main, 1);
