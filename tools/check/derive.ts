/** `npm run derive`: writes all that repeats an endpoint or a problem. A test fails when one is out of date. */
import { mkdirSync, writeFileSync } from 'node:fs';
import { FLAG, readOptions } from '../program/options.ts';
import { runMain } from '../program/stop.ts';

const USAGE = `Usage: npm run derive -- [--types]
  Writes the routes, the functions of serverless.yml, the API document with its types, the requests, and the tables of docs/.
  --types  only the types, which are not committed: npm run types makes them before it checks all others`;

function write(file: string, content: string): void {
  writeFileSync(file, content);
  process.stdout.write(`${file}\n`);
}

async function main(): Promise<number> {
  const { types } = readOptions({ types: FLAG }, USAGE);
  if (!types) {
    // All others import it.
    const { routesText } = await import('./routes.ts');
    write('lib/http/routes.ts', routesText());
    const { derivedFiles } = await import('./derived.ts');
    for (const [file, text] of derivedFiles()) write(file, text);
  }
  mkdirSync('.local', { recursive: true });
  const { typesText } = await import('./document.ts');
  write('.local/openapi.d.ts', await typesText());
  return 0;
}

runMain(main, 1);
