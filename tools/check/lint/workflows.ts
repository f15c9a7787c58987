/** `npm run lint:workflows`: checks the workflows for GitHub with actionlint. Needs Go. */
import { endWith, requireProgram } from '../../prerequisites.ts';
import { runWell } from '../../runProgram.ts';

const ACTIONLINT = 'github.com/rhysd/actionlint/cmd/actionlint@v1.7.12';

try {
  requireProgram(['go', 'version'], 'The check of the workflows needs Go as "go": no workflow was checked.');
  runWell('go', ['run', ACTIONLINT]);
  process.stdout.write('actionlint finds nothing in the workflows.\n');
} catch (error) {
  endWith(error as Error);
}
