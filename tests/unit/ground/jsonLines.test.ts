import { spawnSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { Readable } from 'node:stream';
import { describe, expect, test, vi } from 'vitest';
import { createFileSink } from '../../../lib/events/file.ts';
import { escapeBreaks } from '../../../lib/ground/jsonLines.ts';
import { logLine } from '../../../lib/ground/log.ts';
import { formOf, written, writtenInChunks } from '../../../lib/http/response/forms.ts';
import { MEDIA } from '../../../lib/rest/index.ts';
import { policyFor } from '../../../lib/rest/tokens/index.ts';
import { linesOf } from '../../../tools/import/lines.ts';
import { ndjsonSource } from '../../../tools/import/ndjsonSource.ts';
import { temporaryFolder } from '../../support/programs.ts';

/** Every character at which a reader may end a line. JSON has to escape the first ones by itself. */
const TEXT = 'a\n\r\v\f\u001c\u001d\u001e\u0085\u2028\u2029b';

/** The lines as Node's own reader has them. */
const byReadline = (text: string): Promise<string[]> =>
  Array.fromAsync(createInterface({ input: Readable.from([Buffer.from(text)]), crlfDelay: Number.POSITIVE_INFINITY }));

const ENDS = new RegExp(`\r\n|[${TEXT.slice(1, -1)}]`);

/** Those of Python's `str.splitlines`: https://docs.python.org/3/library/stdtypes.html#str.splitlines */
const bySplitlines = (text: string): string[] => text.replace(/\n$/, '').split(ENDS);

/** The lines that each reader finds, as values. */
async function readBack(text: string): Promise<unknown[][]> {
  const all = [text.trimEnd().split('\n'), await byReadline(text), bySplitlines(text)];
  return all.map((lines) => lines.map((line) => JSON.parse(line)));
}

/** The same for each of the three readers. */
const thrice = (values: readonly unknown[]) => [values, values, values];

const folder = temporaryFolder();

describe('a value is one line for every reader', () => {
  const users = [
    { id: 1, name: TEXT, attributes: { note: TEXT, tags: [TEXT] } },
    { id: 2, name: 'plain' },
  ];
  const form = formOf(MEDIA.ndjson, { members: undefined });

  test('in a list', async () => {
    expect(await readBack(written(form, users))).toEqual(thrice(users));
  });

  test('in a stream', async () => {
    async function* chunks() {
      for (const user of users) yield [user];
    }
    const pieces = await Array.fromAsync(writtenInChunks(form, chunks()));
    expect(await readBack(pieces.join(''))).toEqual(thrice(users));
  });

  test('in a file of events', async () => {
    const file = join(folder, 'events.ndjson');
    const change = { id: 1, version: 1, type: 'created' as const, at: 0, by: TEXT };
    await createFileSink(file).send([change, change], async () => [change, change]);
    const [lines] = await readBack(readFileSync(file, 'utf8'));
    expect(lines).toMatchObject([{ detail: { by: TEXT } }, { detail: { by: TEXT } }]);
    expect(await readBack(readFileSync(file, 'utf8'))).toEqual(thrice(lines ?? []));
  });

  test('in the log', async () => {
    const write = vi.spyOn(process.stdout, 'write').mockReturnValue(true);
    logLine({ level: 'info', by: TEXT });
    const text = String(write.mock.lastCall?.[0]);
    write.mockRestore();
    expect(await readBack(text)).toEqual(thrice([{ level: 'info', by: TEXT }]));
  });

  test('in the access log', async () => {
    const { context } = policyFor(
      { routes: [] },
      { subject: TEXT, scopes: new Set(), expires: 0 },
      'arn:aws:execute-api:x:1:a/dev/GET/',
    );
    expect(await readBack(`{"by":"${context?.escapedSubject}"}\n`)).toEqual(thrice([{ by: TEXT }]));
  });

  test('in a file of refused lines, be it a user or none', async () => {
    const line = JSON.stringify({ name: TEXT, age: -1 });
    const none = `{"name":"${TEXT.replace('\n\r', '')}`;
    async function* pieces() {
      yield `${line}\n${none}\n`;
    }
    const source = await ndjsonSource(linesOf(pieces()), {
      title: 'f',
      map: [],
      keepsIds: false,
      say: () => undefined,
    });
    const entries = await Array.fromAsync(source.entries);
    expect(await readBack(entries.map((entry) => source.refusedLine(entry, TEXT)).join(''))).toEqual(
      thrice([
        { line: 1, message: TEXT, name: TEXT, age: -1 },
        { line: 2, message: TEXT, text: none },
      ]),
    );
  });
});

test('escapes are those of JSON, and nothing else changes', () => {
  expect(escapeBreaks('{"a":"\u0085\u2028\u2029é\\u2028\u{1F600}"}')).toBe(
    '{"a":"\\u0085\\u2028\\u2029é\\u2028\u{1F600}"}',
  );
});

test('Python ends lines where this file says', (context) => {
  const file = join(folder, 'text.txt');
  writeFileSync(file, TEXT);
  const program = `import json,sys; print(json.dumps(open(sys.argv[1], encoding='utf-8', newline='').read().splitlines()))`;
  const { status, stdout } = spawnSync('python3', ['-c', program, file], { encoding: 'utf8' });
  context.skip(status !== 0, 'there is no Python');
  expect(JSON.parse(stdout)).toEqual(bySplitlines(TEXT));
});
