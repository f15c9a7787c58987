import { spawnSync } from 'node:child_process';
import { createRequire } from 'node:module';
import { expect, test } from 'vitest';

const PROGRAM = 'tools/node.cjs';

interface Process {
  features: { typescript?: string | false };
  versions: { node: string };
}

const { refusalOf }: { refusalOf: (process: Process) => string | undefined } = createRequire(import.meta.url)(
  `../../../${PROGRAM}`,
);

const sentence = (version: string) =>
  `This project needs Node 22.18 or newer, and this is Node ${version}. AWS runs it on Node 24.`;

test.each<[Process, boolean]>([
  [{ features: {}, versions: { node: '16.20.2' } }, true],
  [{ features: {}, versions: { node: '20.20.2' } }, true],
  [{ features: { typescript: false }, versions: { node: '22.17.1' } }, true],
  [{ features: { typescript: 'strip' }, versions: { node: '22.18.0' } }, false],
  [process, false],
])('a Node that cannot strip types is refused, and no other: %#', (each, isRefused) => {
  expect(refusalOf(each)).toBe(isRefused ? sentence(each.versions.node) : undefined);
});

test.each([PROGRAM, 'tools/deploy/plugin.cjs', 'tools/local/plugin.cjs'])(
  'without types that are stripped %s fails, with one sentence that says what to do',
  (file) => {
    const { status, stdout, stderr } = spawnSync(process.execPath, ['--no-experimental-strip-types', file], {
      encoding: 'utf8',
      env: {},
    });
    expect({ status, stdout, stderr }).toEqual({
      status: 1,
      stdout: '',
      stderr: `${sentence(process.versions.node)}\n`,
    });
  },
);
