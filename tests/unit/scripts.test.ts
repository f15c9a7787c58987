import { existsSync, readdirSync, readFileSync } from 'node:fs';
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

test('no source uses the path of a URL as a file name: it has %20 for a space, and a slash before the drive on Windows', () => {
  const files = ['admin', 'bench', 'functions', 'lib', 'schemas', 'tests', 'tools'].flatMap((folder) =>
    readdirSync(new URL(folder, ROOT), { recursive: true, encoding: 'utf8' }).map((file) => `${folder}/${file}`),
  );
  const sources = files.filter((file) => /^(?!.*node_modules).*\.[cm]?[jt]s$/.test(file));
  const wrong = sources.filter((file) =>
    readFileSync(new URL(file, ROOT), 'utf8').includes(['import.meta.url)', 'pathname'].join('.')),
  );
  expect(sources.length).toBeGreaterThan(100);
  expect(wrong).toEqual([]);
});
