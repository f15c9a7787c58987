import { onTestFinished } from 'vitest';
import { type LocalService, startService } from './service.ts';

/** Ends a service, in whatever state it is, with the test that launched it. */
export function endWithTest(service: LocalService): LocalService {
  onTestFinished(async () => {
    await service.stop('SIGKILL');
  });
  return service;
}

/** Starts a service for one test. */
export const startForTest = async (...options: Parameters<typeof startService>): Promise<LocalService> =>
  endWithTest(await startService(...options));
