import { onTestFinished } from 'vitest';
import { type LocalService, startService } from './service.ts';

/** Kills a service when its test ends, whatever state it is in. */
export function endWithTest(service: LocalService): LocalService {
  onTestFinished(async () => {
    await service.stop('SIGKILL');
  });
  return service;
}

/** Starts a service for one test. */
export const startForTest = async (...options: Parameters<typeof startService>): Promise<LocalService> =>
  endWithTest(await startService(...options));
