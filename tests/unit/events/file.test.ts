import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import type { ShownChange } from '../../../lib/changes/shown.ts';
import { createFileSink } from '../../../lib/events/file.ts';
import { temporaryFolder } from '../../support/programs.ts';

const folder = temporaryFolder();

const append = (file: string, changes: ShownChange[]) => createFileSink(file).send(changes, async () => changes);

const created = (id: number) => ({ id, version: 1, type: 'created' as const, at: 0 });

test('an event begins a new line after half a line, which a full disk leaves, so it is not lost', async () => {
  const file = join(folder, 'half.ndjson');
  const whole = '{"detail":{"id":1}}';
  writeFileSync(file, `${whole}\n{"detail":{"i`);
  await append(file, [created(2), created(3)]);
  const [first, half, ...lines] = readFileSync(file, 'utf8').trimEnd().split('\n');
  expect([first, half]).toEqual([whole, '{"detail":{"i']);
  expect(lines.map((line) => JSON.parse(line).detail.id)).toEqual([2, 3]);
});
