import { expect, test } from 'vitest';
import { filesLike, read } from '../support/files.ts';

/** The sources. Doors have packages of their own, which are none. */
const FILES = '{{admin,bench,functions,lib,schemas,tests,tools}/**,doors/{.,*}}/*.{ts,tsx,cjs}';

/** The first words of each comment, by file and line: of docblocks, and of comments that stand on lines of their own. */
const COMMENTS = filesLike(FILES).flatMap((file) => {
  const lines = read(file).split('\n');
  return lines.flatMap((line, i) => {
    const [, opening, rest = ''] = /^\s*(\/\*\*|\/\/(?!\/)) ?(.*)$/.exec(line) ?? [];
    const goesOn = opening === '//' && /^\s*\/\/ /.test(lines[i - 1] ?? '');
    const words = rest.trim() || (lines[i + 1] ?? '').replace(/^\s*\*\s*/, '');
    return opening && !goesOn ? [{ place: `${file}:${i + 1}: ${words}`, words }] : [];
  });
});

test('comments begin with the noun that they are about', () => {
  const others = COMMENTS.filter(({ words }) => /^(?:Wh(?:at|o|om|ose|ich)(?:ever)?|So many)\b/.test(words));
  expect(COMMENTS.length).toBeGreaterThan(3_000);
  const message = 'Begin these with a noun, such as "The user who …", "The bytes that …"';
  expect(
    others.map(({ place }) => place),
    message,
  ).toEqual([]);
});

/** The lines of comments, by file and line: within docblocks, and behind `//`. */
const LINES = filesLike(FILES).flatMap((file) =>
  read(file)
    .split('\n')
    .flatMap((line, i) => (/^\s*(?:\/\*\*|\*|\/\/) /.test(line) ? [`${file}:${i + 1}: ${line.trim()}`] : [])),
);

test('no later sentence of a comment has a clause as its subject', () => {
  expect(LINES.length).toBeGreaterThan(5_000);
  const message = 'Name the thing: "Kept changes stay", not "What is kept stays"';
  expect(
    LINES.filter((line) => /[.!] (?:What|Whatever|Who|Whoever) [a-z]/.test(line)),
    message,
  ).toEqual([]);
});

test('a number is said with its unit', () => {
  const texts = filesLike(FILES).flatMap((file) =>
    read(file)
      .split('\n')
      .flatMap((line, i) =>
        /\b(?:so many|(?:after|for) so long)\b/i.test(line) ? [`${file}:${i + 1}: ${line.trim()}`] : [],
      ),
  );
  const others = texts.filter((text) => !/^tests\/unit\/(?:comments|prose)\.test\.ts/.test(text));
  expect(others, 'Say which number, and of what').toEqual([]);
});

test('a source outside of tests names the reader, the writer or the caller, and not "whoever"', () => {
  const sources = filesLike('{{admin,bench,functions,lib,schemas,tools}/**,doors/{.,*}}/*.{ts,tsx,cjs,yml}');
  const texts = sources.filter((file) => !file.endsWith('.test.ts')).map((file) => [file, read(file)] as const);
  expect(texts.length).toBeGreaterThan(400);
  expect(texts.flatMap(([file, text]) => (/\bwhoever\b/i.test(text) ? [file] : []))).toEqual([]);
});
