import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { ROOT, SCRIPTS } from '../support/files.ts';

/** What not every shell knows: quotes, variables, patterns, redirections, and any way to join commands except `&&`. */
const SHELL = /['`$*;|<>\\]|^exec |^\w+=/;

describe.each(Object.entries(SCRIPTS))('npm run %s', (_, script) => {
  const commands = script.split(' && ');

  test('means the same in every shell, even on Windows', () => {
    expect(commands.filter((command) => SHELL.test(command))).toEqual([]);
  });

  test('names files that exist', () => {
    const files = commands.flatMap((command) => command.split(/[ =]/)).filter((word) => /^[a-z]+\/.*\.\w+$/.test(word));
    expect(files.filter((file) => !existsSync(join(ROOT, file)))).toEqual([]);
  });
});
