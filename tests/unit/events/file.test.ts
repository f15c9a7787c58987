import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { createFileSink } from '../../../lib/events/file.ts';
import { temporaryFolder } from '../../support/temporaryFolder.ts';

const folder = temporaryFolder();

test('a file of events gets a line for each change, after the lines that it has', async () => {
  const file = join(folder, 'events.ndjson');
  const at = Date.parse('2026-11-20T17:27:41.150Z');
  await createFileSink(file).send([{ id: 7, version: 1, type: 'created', at }]);
  await createFileSink(file).send([
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
