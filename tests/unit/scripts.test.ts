import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { ROOT, read, SCRIPTS } from '../support/files.ts';

/** Characters that not every shell knows: quotes, variables, patterns, redirections, and any way to join commands except `&&`. */
const SHELL = /['`$*;|<>\\]|^exec |^\w+=/;

test('no script is named as one that npm runs before or after another: .npmrc has ignore-scripts, so it never would', () => {
  expect(read('.npmrc')).toMatch(/^ignore-scripts=true$/m);
  const names = Object.keys(SCRIPTS);
  expect(names.filter((name) => names.includes(name.replace(/^(pre|post)/, '')) && /^(pre|post)/.test(name))).toEqual(
    [],
  );
});

describe.each(Object.entries(SCRIPTS))('npm run %s', (_, script) => {
  const commands = script.split(' && ');

  test('means the same in every shell, even on Windows', () => {
    expect(commands.filter((command) => SHELL.test(command))).toEqual([]);
  });

  test('says first which Node the sources need, if it runs some', () => {
    const runsSources = /\.ts\b|vitest|serverless|--prefix/.test(script);
    expect(commands[0] === 'node tools/node.cjs').toBe(runsSources);
  });

  test('names files that exist', () => {
    const files = commands.flatMap((command) => command.split(/[ =]/)).filter((word) => /^[a-z]+\/.*\.\w+$/.test(word));
    expect(files.filter((file) => !existsSync(join(ROOT, file)))).toEqual([]);
  });
});
