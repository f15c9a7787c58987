import { afterAll, vi } from 'vitest';

/** The next file of a worker finds the environment and the globals that this one has found. */
const environment = { ...process.env };

afterAll(() => {
  vi.unstubAllEnvs();
  vi.unstubAllGlobals();
  for (const name of Object.keys(process.env)) if (!(name in environment)) delete process.env[name];
  Object.assign(process.env, environment);
});
