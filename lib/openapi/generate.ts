/** `npm run openapi`: writes the document and the types of a client. A test fails when they are not up to date. */
import { writeFileSync } from 'node:fs';
import { artifacts } from './artifacts.ts';

for (const [file, content] of Object.entries(await artifacts())) {
  writeFileSync(file, content);
  process.stdout.write(`${file}\n`);
}
