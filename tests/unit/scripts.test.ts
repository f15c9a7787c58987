import { existsSync, readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';

const ROOT = new URL('../../', import.meta.url);

const { scripts }: { scripts: Record<string, string> } = JSON.parse(
  readFileSync(new URL('package.json', ROOT), 'utf8'),
);

/** What not every shell knows: quotes, variables, patterns, redirections, and any way to join commands except `&&`. */
const SHELL = /['`$*;|<>\\]|^exec |^\w+=/;

describe.each(Object.entries(scripts))('npm run %s', (_, script) => {
  const commands = script.split(' && ');

  test('means the same in every shell, even on Windows', () => {
    expect(commands.filter((command) => SHELL.test(command))).toEqual([]);
  });

  test('names files that exist', () => {
    const files = commands.flatMap((command) => command.split(/[ =]/)).filter((word) => /^[a-z]+\/.*\.\w+$/.test(word));
    expect(files.filter((file) => !existsSync(new URL(file, ROOT)))).toEqual([]);
  });
});
