import { globSync, readFileSync } from 'node:fs';
import ts from 'typescript';

/** An operator of a source, and the one that takes its place. */
interface Breakage {
  file: string;
  line: number;
  /** Where the operator begins and ends in the text of the file. */
  from: number;
  to: number;
  operator: string;
  replacement: string;
}

const REPLACEMENTS: Readonly<Record<string, string>> = {
  ...{ '<': '<=', '<=': '<', '>': '>=', '>=': '>', '===': '!==', '!==': '===' },
  ...{ '&&': '||', '||': '&&', '??': '&&', '+': '-', '-': '+', '*': '/', '/': '*', '%': '*', '!': '' },
};

/** The place of the operator that a node has, if it is a unary or binary expression. */
function operatorIn(node: ts.Node, source: ts.SourceFile): [from: number, to: number] | undefined {
  if (ts.isBinaryExpression(node)) return [node.operatorToken.getStart(source), node.operatorToken.end];
  if (!ts.isPrefixUnaryExpression(node)) return undefined;
  return [node.getStart(source), node.operand.getFullStart()];
}

function breakagesOf(file: string): Breakage[] {
  const text = readFileSync(file, 'utf8');
  const source = ts.createSourceFile(file, text, ts.ScriptTarget.Latest);
  const found: Breakage[] = [];
  const visit = (node: ts.Node): void => {
    const [from, to] = operatorIn(node, source) ?? [0, 0];
    const operator = text.slice(from, to);
    const replacement = REPLACEMENTS[operator];
    const line = source.getLineAndCharacterOfPosition(from).line + 1;
    if (replacement !== undefined) found.push({ file, line, from, to, operator, replacement });
    ts.forEachChild(node, visit);
  };
  visit(source);
  return found;
}

/** The same numbers from 0 to 1 for the same seed (mulberry32). */
function randomOf(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

/** Operators of the files of `lib/` with one of some parts in their path, drawn with a seed: the same ones of the same sources. */
export function drawBreakages(count: number, seed: number, parts: readonly string[]): Breakage[] {
  const files = globSync('lib/**/*.ts').filter(
    (file) => parts.length === 0 || parts.some((part) => file.includes(part)),
  );
  const all = files.sort().flatMap(breakagesOf);
  const random = randomOf(seed);
  return Array.from({ length: Math.min(count, all.length) }, () =>
    all.splice(Math.floor(random() * all.length), 1),
  ).flat();
}
