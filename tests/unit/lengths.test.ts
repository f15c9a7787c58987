import { globSync, readFileSync } from 'node:fs';
import ts from 'typescript';
import { expect, test } from 'vitest';
import { filters } from '../../schemas/filters.ts';
import { jsonPatch } from '../../schemas/jsonPatch.ts';
import { userInput } from '../../schemas/user.ts';
import { ROOT } from '../support/bundles.ts';

const sources = globSync('{admin,functions,lib,schemas,tools}/**/*.{ts,tsx}', { cwd: ROOT }).toSorted();
const read = (file: string): string => readFileSync(`${ROOT}/${file}`, 'utf8');

/** The regular expressions of a file, as they are written. */
function literalsIn(file: string): string[] {
  const found: string[] = [];
  const visit = (node: ts.Node): void => {
    if (ts.isRegularExpressionLiteral(node)) found.push(node.text);
    ts.forEachChild(node, visit);
  };
  visit(ts.createSourceFile(file, read(file), ts.ScriptTarget.Latest));
  return found;
}

const toRegExp = (literal: string): RegExp => {
  const end = literal.lastIndexOf('/');
  return new RegExp(literal.slice(1, end), literal.slice(end + 1));
};

const STARTS = ['', '/', '"', 'a=', ';'];
const RUNS = [...'a0 \t,;/".-:=~%\n\'\u0301\u200b\uD800', '{a', 'a/', 'a,', ', ', '(?<a>', '@a/'];
const ENDS = ['', '\u0001', '/', 'a!'];

const LENGTHS = [500, 4_000, 32_000];
const AT_ONCE_MS = 100;

/** The first text for which a pattern needs more than a moment: a quadratic one needs a second for the longest. */
function slowTextOf(pattern: RegExp): string | undefined {
  for (const length of LENGTHS) {
    for (const start of STARTS) {
      for (const run of RUNS) {
        for (const end of ENDS) {
          const text = start + run.repeat(length / run.length) + end;
          const took = () => {
            const begin = performance.now();
            text.replace(pattern, '');
            return performance.now() - begin;
          };
          if (took() > AT_ONCE_MS && took() > AT_ONCE_MS) return JSON.stringify([start, run, end]);
        }
      }
    }
  }
  return undefined;
}

/** The patterns of schemas, which the generated validators match. */
const schemaPatterns = [
  ...JSON.stringify([filters, jsonPatch, userInput]).matchAll(/"pattern":("(?:[^"\\]|\\.)*")/g),
].map(([, text = '']) => new RegExp(JSON.parse(text), 'u'));

const patterns = [...new Set([...sources.flatMap(literalsIn).map(toRegExp), ...schemaPatterns].map(String))];

test('regular expressions are found in sources and in schemas', () => {
  expect(schemaPatterns.length).toBeGreaterThan(5);
  expect(patterns.length).toBeGreaterThan(60);
});

test.each(patterns)('%s takes a time that grows with the length of a text, not with its square', (pattern) => {
  expect(slowTextOf(toRegExp(pattern))).toBe(undefined);
});

/** NFC takes a time that grows with the square of a run of combining marks. */
test('only what has a length limit is normalised or folded', () => {
  const having = (pattern: RegExp) =>
    sources.filter((file) => pattern.test(read(file)) && !file.startsWith('bench/people'));
  expect(having(/\.normalize\(|\['normalize'\]/)).toEqual(['lib/http/request/formats.ts', 'lib/users/text.ts']);
  // Users and queries have passed the validators, which know the limits, when they get there.
  expect(having(/\bfoldCase\b/).filter((file) => !file.startsWith('lib/users/'))).toEqual([]);
});
