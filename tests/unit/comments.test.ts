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

test('comments begin with the noun that they are about, but for one of two hundred', () => {
  const others = COMMENTS.filter(({ words }) => /^(?:Wh(?:at|o|om|ose|ich)(?:ever)?|So many)\b/.test(words));
  expect(COMMENTS.length).toBeGreaterThan(3_000);
  const share = others.length / COMMENTS.length;
  const message = `Begin these with a noun, such as "The user who …", "The bytes that …":\n${others.map(({ place }) => place).join('\n')}`;
  expect(share, message).toBeLessThanOrEqual(0.005);
});

test('a number is said with its unit, not as "so many"', () => {
  const texts = filesLike(FILES).flatMap((file) =>
    read(file)
      .split('\n')
      .flatMap((line, i) => (/\bso many\b/i.test(line) ? [`${file}:${i + 1}: ${line.trim()}`] : [])),
  );
  const others = texts.filter((text) => !text.startsWith('tests/unit/comments.test.ts'));
  expect(others.length, `Say which number, and of what:\n${others.join('\n')}`).toBeLessThanOrEqual(15);
});
