import { expect, test, vi } from 'vitest';
import { defaultProvider } from '../../../../tools/deploy/standIns/credentials.ts';

test('the credentials of a bundle come from the current environment', async () => {
  const provide = defaultProvider();
  vi.stubEnv('AWS_ACCESS_KEY_ID', 'a');
  vi.stubEnv('AWS_SECRET_ACCESS_KEY', 'b');
  vi.stubEnv('AWS_SESSION_TOKEN', 'c');
  expect(await provide()).toEqual({ accessKeyId: 'a', secretAccessKey: 'b', sessionToken: 'c' });
  vi.stubEnv('AWS_ACCESS_KEY_ID', 'd');
  vi.stubEnv('AWS_SESSION_TOKEN', '');
  expect(await provide()).toEqual({ accessKeyId: 'd', secretAccessKey: 'b' });
});

test('the credentials of a bundle that are missing are named in the error', async () => {
  vi.stubEnv('AWS_ACCESS_KEY_ID', '');
  await expect(defaultProvider()()).rejects.toThrow('Environment variable AWS_ACCESS_KEY_ID is not set');
});
