import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, expect, test, vi } from 'vitest';
import { findRegion } from '../../../../tools/deploy/region.ts';
import { temporaryFolder } from '../../../support/programs.ts';

const folder = temporaryFolder();
const file = join(folder, 'config');
writeFileSync(file, '[default]\nregion = eu-west-3\n[profile work]\nregion = ap-south-1\n[profile empty]\n');

beforeEach(() => {
  vi.stubEnv('AWS_CONFIG_FILE', file);
  vi.stubEnv('AWS_SHARED_CREDENTIALS_FILE', join(folder, 'none'));
  for (const name of ['AWS_REGION', 'AWS_DEFAULT_REGION', 'AWS_PROFILE']) vi.stubEnv(name, undefined);
});

const BOTH = { AWS_REGION: 'us-east-1', AWS_DEFAULT_REGION: 'us-west-2' };

test.each<[is: string, settings: object, given: string[], region: string]>([
  ['the option', BOTH, ['sa-east-1'], 'sa-east-1'],
  ['AWS_REGION', BOTH, [], 'us-east-1'],
  ['AWS_DEFAULT_REGION', { ...BOTH, AWS_REGION: '', AWS_PROFILE: 'work' }, [], 'us-west-2'],
  ['that of the profile', { AWS_PROFILE: 'work' }, [], 'ap-south-1'],
  ['that of the default profile', {}, [], 'eu-west-3'],
  ['the default of the service', { AWS_PROFILE: 'empty' }, [], 'eu-central-1'],
])('the region of a stage is %s: %j %j', async (_, settings, given, region) => {
  for (const [name, value] of Object.entries(settings)) vi.stubEnv(name, value);
  expect(await findRegion(...given)).toBe(region);
});

test('the region of a stage is that of the profile that the framework is given', async () => {
  expect(await findRegion(undefined, 'work')).toBe('ap-south-1');
});
