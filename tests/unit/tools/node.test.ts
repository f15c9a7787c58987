import { spawnSync } from 'node:child_process';
import { expect, test } from 'vitest';

const sentence = `This project needs Node 22.18 or newer, and this is Node ${process.versions.node}. AWS runs it on Node 24.\n`;

test.each(['tools/node.cjs', 'tools/deploy/plugin.cjs', 'tools/local/plugin.cjs'])(
  'without types that are stripped %s fails, with one sentence that says what to do',
  (file) => {
    const options = ['--no-experimental-strip-types', file];
    const { status, stdout, stderr } = spawnSync(process.execPath, options, { encoding: 'utf8', env: {} });
    expect({ status, stdout, stderr }).toEqual({ status: 1, stdout: '', stderr: sentence });
  },
);
