/** `npm run lint:workflows`: checks the workflows for GitHub with actionlint. Needs Go. */
import { spawnSync } from 'node:child_process';
import { endWith, MissingPrerequisite } from '../../prerequisites.ts';

const ACTIONLINT = 'github.com/rhysd/actionlint/cmd/actionlint@v1.7.12';

async function lint(): Promise<void> {
  if (spawnSync('go', ['version']).status !== 0) {
    throw new MissingPrerequisite('The check of the workflows needs Go as "go": no workflow was checked.');
  }
  const { status, stdout, stderr } = spawnSync('go', ['run', ACTIONLINT], { encoding: 'utf8' });
  if (status !== 0) throw new Error(`${stdout}${stderr}`.trim());
  process.stdout.write('actionlint finds nothing in the workflows.\n');
}

lint().catch(endWith);
