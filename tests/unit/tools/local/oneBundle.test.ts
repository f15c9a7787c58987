import { readFileSync, writeFileSync } from 'node:fs';
import { createRequire, findPackageJSON } from 'node:module';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { expect, test } from 'vitest';
import { BUNDLE } from '../../../../tools/deploy/bundle.ts';
import { serveBundle, servedFile } from '../../../../tools/local/oneBundle.ts';
import { read } from '../../../support/files.ts';
import { folderForTest } from '../../../support/programs.ts';

/** The kind of modules that Node takes a file for. From 26 on it asks for a file without an extension that is required, too. */
const kindOf = (file: string): string =>
  JSON.parse(readFileSync(String(findPackageJSON(pathToFileURL(file))), 'utf8')).type;

test('the bundle of the local service says of which kind it is, in a project of another kind', () => {
  const project = folderForTest();
  writeFileSync(join(project, 'package.json'), read('package.json'));
  const folder = join(project, 'work', '1');
  const require = createRequire(import.meta.url);
  for (const round of [1, 2]) {
    serveBundle(folder, Buffer.from(`exports.round = () => ${round};`));
    expect(require(servedFile(folder)).round()).toBe(round);
  }
  const { type } = JSON.parse(read('package.json'));
  expect([type, kindOf(servedFile(folder)), BUNDLE.format]).toEqual(['module', 'commonjs', 'cjs']);
});
