import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { createFileSink } from '../../../lib/events/file.ts';
import type { ShownChange } from '../../../lib/users/changes/feed.ts';
import { temporaryFolder } from '../../support/programs.ts';

const folder = temporaryFolder();

const append = (file: string, changes: ShownChange[]) => createFileSink(file).send(changes, async () => changes);

test('a file of events gets a line for each change, after the lines that it has', async () => {
  const file = join(folder, 'events.ndjson');
  const at = Date.parse('2026-11-20T17:27:41.150Z');
  await append(file, [{ id: 7, version: 1, type: 'created', at }]);
  await append(file, [
    { id: 7, version: 2, type: 'deleted', at, by: 'a\nb' },
    { id: 8, version: 1, type: 'updated', at },
  ]);
  expect(readFileSync(file, 'utf8')).toBe(
    [
      '{"source":"user-management","detail-type":"User created","time":"2026-11-20T17:27:41.150Z","detail":{"id":7,"version":1,"type":"created","at":"2026-11-20T17:27:41.150Z"}}\n',
      '{"source":"user-management","detail-type":"User deleted","time":"2026-11-20T17:27:41.150Z","detail":{"id":7,"version":2,"type":"deleted","at":"2026-11-20T17:27:41.150Z","by":"a\\nb"}}\n',
      '{"source":"user-management","detail-type":"User updated","time":"2026-11-20T17:27:41.150Z","detail":{"id":8,"version":1,"type":"updated","at":"2026-11-20T17:27:41.150Z"}}\n',
    ].join(''),
  );
});

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

test('a file that cannot be appended to is named in the error, also when there is nothing to append', async () => {
  const file = join(folder, 'missing', 'events.ndjson');
  for (const changes of [[], [created(1)]]) {
    await expect(append(file, changes)).rejects.toMatchObject({
      name: 'ServiceError',
      message: `Events cannot be appended to ${file} (ENOENT)`,
    });
  }
});
