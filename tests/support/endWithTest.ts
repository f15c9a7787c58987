import { existsSync } from 'node:fs';
import { expect, onTestFinished } from 'vitest';
import { type LocalService, ROOT, type Start, startService } from './httpService.ts';

type Running = Pick<LocalService, 'port' | 'pid'>;

/** The file in which a service says that it runs. */
export const serviceFile = ({ port }: Running, root = ROOT) => `${root}/.local/service-${port}.json`;

export const workFolder = ({ pid }: Running, root = ROOT) => `${root}/.esbuild/${pid}`;

/** Whether its file exists, and whether its folder does. */
export const exists = (service: Running, root = ROOT) =>
  [serviceFile(service, root), workFolder(service, root)].map((path) => existsSync(path));

export const untilNothingRuns = (service: LocalService) => expect.poll(() => service.processes()).toEqual([]);

/** Kills a service when its test ends, whatever state it is in. */
export function endWithTest(service: LocalService): LocalService {
  onTestFinished(async () => {
    await service.stop('SIGKILL');
  });
  return service;
}

/** Starts a service for one test. */
export const startForTest = async (start: Start): Promise<LocalService> => endWithTest(await startService(start));
