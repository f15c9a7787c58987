import { describe, expect, test } from 'vitest';
import { filesLike, read } from '../../support/files.ts';

/** The table of docs/data-model.md. */
const ACCESS_PATTERNS = read('docs/data-model.md')
  .split('\n')
  .filter((line) => /^\| [DLU]\d+ \|/.test(line))
  .map((line) => {
    const [id = '', , , name = ''] = line.split(' | ').map((cell) => cell.replace(/^\| | \|$/g, ''));
    return { id, name: name.replaceAll('`', '') };
  });

/** The deployed sources that read users. */
const SOURCES = filesLike('{lib/{users,replica,changes,edits,events},tools/verify}/**/*.ts').map((file) => ({
  file: file.replace(/^(lib|tools)\//, ''),
  text: read(file),
}));

/** The imports from lib/dynamodb of a file that reads, under any name. */
const READS =
  /import {[^}]*\b(?:get|getItems|query|queryFirst|queryPages|scan)\b[^}]*} from '[./]*\/dynamodb\/index.ts'/;

const IDS = /^(?:[DLU]\d+(?:, )?)+(?=\.)/;

/** Each id at the beginning of a docblock, with the function below it. */
const CITATIONS = SOURCES.flatMap(({ text }) =>
  [
    ...text.matchAll(/\/\*\*\s+(?:\* )?((?:(?!\*\/).)*)\*\/\s+(?:export )?(?:async )?(?:function\*? |const )(\w+)/gs),
  ].flatMap(([, comment = '', name]) => (IDS.exec(comment)?.[0].split(', ') ?? []).map((id) => `${id} ${name}`)),
);

describe('the access patterns', () => {
  test('are exactly the ones that functions cite', () => {
    expect(CITATIONS.toSorted()).toEqual(ACCESS_PATTERNS.map(({ id, name }) => `${id} ${name}`).toSorted());
  });

  test('cover every file that reads DynamoDB', () => {
    const reading = SOURCES.filter(({ text }) => READS.test(text));
    const silent = reading.filter(({ text }) => !/\* [DLU]\d+[.,]/.test(text)).map(({ file }) => file);
    expect(reading.length).toBeGreaterThan(4);
    expect(silent).toEqual([]);
  });
});
