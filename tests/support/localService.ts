import { existsSync } from 'node:fs';
import { afterAll, expect, onTestFinished } from 'vitest';
import { ROOT } from './files.ts';
import { type LocalService, type Start, startService } from './httpService.ts';
import { startIssuer } from './issuer.ts';

type Running = Pick<LocalService, 'pid'>;

/** The file in which a service says that it runs. */
export const serviceFile = ({ pid }: Running, root = ROOT) => `${root}/.esbuild/${pid}/service.json`;

/** Whether there is anything of a service. */
export const exists = ({ pid }: Running, root = ROOT) => existsSync(`${root}/.esbuild/${pid}`);

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

/** Stops something with the file, or the `describe`, that asks for it. */
function endWithFile<Started extends { stop(): Promise<unknown> }>(started: Started): Started {
  afterAll(async () => void (await started.stop()));
  return started;
}

export const serviceForFile = async (start?: Start) => endWithFile(await startService(start));

export const issuerForFile = async () => endWithFile(await startIssuer());
