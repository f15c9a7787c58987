/**
 * `npm run test:opensearch`: the tests of lists over OpenSearch in place of the replica: properties of questions, orders, walks and counts, and the
 * handlers. Needs a JDK, and Maven the first time.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { missingForOpenSearch, startOpenSearch } from '../../local/openSearch/start.ts';
import { readArguments } from '../../program/options.ts';
import { MissingPrerequisite, runCheck } from '../prerequisites.ts';

const FILES = [
  'tests/property/listing.test.ts',
  'tests/integration/list/attributes.test.ts',
  'tests/integration/list/dates.test.ts',
  'tests/integration/list/listings.test.ts',
  'tests/integration/list/questions.test.ts',
  'tests/integration/list/streaming.test.ts',
  'tests/integration/list/indexed.test.ts',
];

async function test(): Promise<number> {
  const asked = readArguments('Usage: npm run test:opensearch -- [file of tests …]. Needs a JDK and Maven');
  const files = asked.length > 0 ? asked : FILES;
  const missing = files.filter((file) => !existsSync(file));
  if (missing.length > 0) throw new Error(`There is no ${missing.join(', ')}`);
  const lacking = missingForOpenSearch();
  if (lacking) throw new MissingPrerequisite(`${lacking} Lists of OpenSearch were not tested.`);
  const { endpoint, stop } = await startOpenSearch();
  const options = ['node_modules/vitest/vitest.mjs', 'run', '--project', 'service', '--maxWorkers', '2', ...files];
  const env = { ...process.env, TEST_OPENSEARCH: endpoint };
  const [code] = await once(spawn(process.execPath, options, { stdio: 'inherit', env }), 'close');
  await stop();
  return code ?? 1;
}

runCheck(test);
