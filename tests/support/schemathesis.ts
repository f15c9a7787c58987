import { spawn } from 'node:child_process';
import { resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { PAGE_NAMES } from '../../lib/admin/files.ts';
import { findPython, type PythonProgram } from '../../lib/tooling/python.ts';

const FOLDER = fileURLToPath(new URL('schemathesis/', import.meta.url));

/** https://schemathesis.io: makes requests out of an OpenAPI document, and compares the responses with it. */
export const SCHEMATHESIS: PythonProgram = {
  name: 'Schemathesis',
  user: 'The test of the service against its OpenAPI document',
  loss: 'it is skipped',
  requirements: `${FOLDER}requirements.txt`,
  folder: '.local/schemathesis',
};

const KEEP_OUT_OF_SOURCES = {
  HYPOTHESIS_STORAGE_DIRECTORY: resolve(SCHEMATHESIS.folder, 'hypothesis'),
  PYTHONDONTWRITEBYTECODE: '1',
};

/** Tests a service against the OpenAPI document that it serves, with a token for all that needs one. */
export async function schemathesis(url: string, token: string): Promise<{ code: number | null; output: string }> {
  const python = resolve(findPython(SCHEMATHESIS));
  const child = spawn(
    python,
    [
      ...['-m', 'schemathesis.cli', '--config-file', `${FOLDER}schemathesis.toml`],
      ...['run', `${url}/api/openapi.json`, '--no-color', '--header', `Authorization: Bearer ${token}`],
    ],
    { cwd: FOLDER, env: { ...process.env, ...KEEP_OUT_OF_SOURCES, ADMIN_FILE: PAGE_NAMES.style } },
  );
  let output = '';
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk) => (output += chunk));
  const code = await new Promise<number | null>((ended) => child.once('exit', ended));
  return { code, output };
}
