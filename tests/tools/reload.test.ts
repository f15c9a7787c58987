import { execFileSync, spawnSync } from 'node:child_process';
import { readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { expect, onTestFinished, test } from 'vitest';
import { copyProject, type ProjectCopy } from '../../tools/check/projectCopy.ts';
import type { LocalService } from '../support/httpService.ts';
import { exists, startForTest, untilNothingRuns } from '../support/localService.ts';

function ownCopy(): ProjectCopy {
  const project = copyProject();
  onTestFinished(() => project.remove());
  return project;
}

/** The response to a user without a name. The changed copy may differ from the contract, so it is not checked. */
async function refusal({ url }: LocalService): Promise<unknown> {
  const response = await fetch(`${url}/api/users`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: '{}',
  });
  return response.json();
}

/** The memory of esbuild for a service, in megabytes. */
function bundlerMemory({ pid }: LocalService): number {
  const rows = execFileSync('ps', ['-eo', 'ppid=,rss=,args='], { encoding: 'utf8' }).split('\n');
  const bundlers = rows.filter((row) => row.includes('/bin/esbuild --') && Number.parseInt(row, 10) === pid);
  return bundlers.reduce((sum, row) => sum + Number(row.trim().split(/ +/)[1]), 0) / 1_024;
}

/** The folders of a project that a process watches, in the words of Linux. */
function watchedBy({ pid }: LocalService, root: string): string[] {
  // A file that is closed meanwhile is none of them.
  const { stdout } = spawnSync('sh', ['-c', `cat /proc/${pid}/fdinfo/*`], { encoding: 'utf8' });
  const inodes = [...stdout.matchAll(/^inotify .*ino:(\w+)/gm)].map(([, ino = '']) => Number.parseInt(ino, 16));
  const folders = ['.', ...readdirSync(root)].toSorted();
  return folders.filter((name) => inodes.includes(statSync(join(root, name)).ino));
}

const FILE = 'lib/http/request/validation.ts';

test('npm start serves changed sources, which are all that it watches, or the last valid ones, needs less than 150 MB for the bundler, and leaves nothing behind after Ctrl-C', async () => {
  const project = ownCopy();
  const service = await startForTest({ root: project.root });
  const memory = bundlerMemory(service);
  expect(memory).toBeGreaterThan(10);
  expect(memory).toBeLessThan(150);
  // Files that grow beside the sources, such as a log or the data, are not watched.
  expect(watchedBy(service, project.root)).toEqual(['admin', 'functions', 'lib', 'schemas']);
  expect(await refusal(service)).toEqual({ status: 400, message: 'Name is required' });

  project.replace(FILE, 'Name is required', 'A name, please');
  await expect.poll(() => refusal(service)).toEqual({ status: 400, message: 'A name, please' });

  project.replace(FILE, 'A name, please', "'");
  await expect.poll(service.output).toContain('waiting for a file change to reload');
  expect(await refusal(service)).toEqual({ status: 400, message: 'A name, please' });

  project.replace(FILE, "'''", "'Say your name'");
  await expect.poll(() => refusal(service)).toEqual({ status: 400, message: 'Say your name' });

  const notFound = async () => (await fetch(`${service.url}/api/users/1`)).text();
  const file = join(project.root, FILE);
  const content = readFileSync(file, 'utf8');
  for (let round = 1; round <= 3; round++) {
    writeFileSync(file, '');
    await setTimeout(200);
    writeFileSync(file, content.replace('Say your name', `Name ${round}`));
    await expect.poll(() => refusal(service)).toEqual({ status: 400, message: `Name ${round}` });

    project.replace(FILE, `Name ${round}`, 'Say your name');
    await setTimeout(200);
    project.replace('lib/users/errors.ts', 'found with', `found ${round} with`);
    await expect.poll(notFound).toContain(`found ${round} with`);
    project.replace('lib/users/errors.ts', `found ${round} with`, 'found with');
    await expect.poll(() => refusal(service)).toEqual({ status: 400, message: 'Say your name' });
  }

  expect(exists(service, project.root)).toBe(true);
  expect(await service.stop('SIGINT')).toBe(0);
  await untilNothingRuns(service);
  expect(exists(service, project.root)).toBe(false);
});
