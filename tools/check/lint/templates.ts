/** `npm run lint:templates`: checks the templates of all stages, and the templates in docs/, with cfn-lint. Needs Python. */
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { endWith } from '../../prerequisites.ts';
import { copyShell } from '../projectCopy.ts';
import { findPython, type PythonProgram } from '../python.ts';

const CFN_LINT: PythonProgram = {
  name: 'cfn-lint',
  user: 'The check of the templates',
  loss: 'no template was checked',
  requirements: fileURLToPath(new URL('requirements.txt', import.meta.url)),
  folder: '.local/lint',
};

/** Settings of a deployment with all parts. */
const ISSUER = {
  OIDC_ISSUER: 'https://id.example.com',
  OIDC_AUDIENCE: 'users',
  ALARM_EMAIL: 'ops@example.com',
  CORS_ORIGINS: 'https://a.example.com',
};

const KEY = 'arn:aws:kms:eu-central-1:123456789012:key/1234abcd-12ab-34cd-56ef-1234567890ab';

const STAGES = {
  dev: { OIDC_ISSUER: 'none' },
  encrypted: { OIDC_ISSUER: 'none', KMS_KEY: KEY },
  staging: ISSUER,
  prod: { ...ISSUER, ADMIN_CLIENT_ID: 'admin', DOMAIN_NAME: 'users.example.com' },
};

/** What no stage has unless it is set. */
const EVENTS = ['--param', 'events=true'];

/** What its command does. */
const START = 'import cfnlint.runner, sys; cfnlint.runner.main()';

const TEMPLATE = 'cloudformation-template-update-stack.json';

interface Surroundings {
  settings?: Record<string, string>;
  cwd?: string;
}

function run(program: string, options: readonly string[], { settings, cwd }: Surroundings = {}): string {
  const env = { ...process.env, ...settings };
  const { status, stdout, stderr } = spawnSync(program, options, { env, cwd, encoding: 'utf8' });
  if (status !== 0) throw new Error(`${stdout ?? ''}${stderr ?? ''}`.trim());
  return stdout.trim();
}

/** @returns the path of the template */
function packageStage(stage: string, settings: Record<string, string>, folder: string, cwd: string): string {
  const target = join(folder, stage);
  run(
    process.execPath,
    ['node_modules/serverless/bin/serverless.js', 'package', '--stage', stage, '--package', target, ...EVENTS],
    { settings, cwd },
  );
  return join(target, TEMPLATE);
}

async function lint(): Promise<void> {
  const python = findPython(CFN_LINT);
  const folder = mkdtempSync(join(tmpdir(), 'templates-'));
  const project = copyShell();
  try {
    const packaged = Object.entries(STAGES).map(([stage, settings]) =>
      packageStage(stage, settings, folder, project.root),
    );
    const written = readdirSync('docs').filter((file) => file.endsWith('.yml'));
    const templates = [...packaged, ...written.map((file) => join('docs', file))];
    const said = run(python, ['-c', START, ...templates]);
    process.stdout.write(`${said}${templates.length} templates were checked: cfn-lint finds nothing.\n`);
  } finally {
    rmSync(folder, { recursive: true, force: true });
    project.remove();
  }
}

lint().catch(endWith);
