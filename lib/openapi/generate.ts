/** `npm run openapi`: writes the document and the types for clients. A test fails when they are out of date. */
import { writeFileSync } from 'node:fs';
import { artifacts } from './artifacts.ts';

for (const [file, content] of Object.entries(await artifacts())) {
  writeFileSync(file, content);
  process.stdout.write(`${file}\n`);
}
