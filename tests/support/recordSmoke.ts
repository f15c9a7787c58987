/**
 * `node tests/support/recordSmoke.ts 3.0.0 http://localhost:3000`: keeps what a released version responds to the smoke test of this one,
 * for tests/tools/smoke.test.ts. Start that version in a worktree of its tag, without users.
 */
import { execFile } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { promisify } from 'node:util';
import { recordOf, startRecorder } from './recorded.ts';

const [version = '', service = ''] = process.argv.slice(2);
const { url, exchanges, close } = await startRecorder(service);
const { stdout } = await promisify(execFile)(process.execPath, ['tools/operate/smoke.ts', url]).finally(close);
process.stdout.write(stdout);
const file = recordOf(version);
mkdirSync(dirname(file), { recursive: true });
writeFileSync(file, `[\n${exchanges.map((exchange) => JSON.stringify(exchange)).join(',\n')}\n]\n`);
