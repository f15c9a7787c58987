import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { parse } from 'yaml';
import { BUNDLE } from '../../tools/deploy/bundle.ts';

type Versions = Record<string, string>;
type Package = { version: string } & Record<'dependencies' | 'devDependencies' | 'optionalDependencies', Versions>;

interface Locked {
  name?: string;
  version: string;
  resolved?: string;
}

const read = <Content>(file: string): Content => JSON.parse(readFileSync(file, 'utf8'));

const { dependencies, devDependencies, optionalDependencies } = read<Package>('package.json');
const locked = Object.entries(read<{ packages: Record<string, Locked> }>('package-lock.json').packages);
const { provider } = parse(readFileSync('serverless.yml', 'utf8'), { logLevel: 'error' });

test('the installed serverless is osls, and there is no other (docs/decisions/0012-osls.md)', () => {
  const { version } = read<Package>('node_modules/serverless/package.json');
  expect(devDependencies.serverless).toBe(`npm:osls@${version}`);
  const all = locked.filter(([path]) => path.endsWith('node_modules/serverless'));
  expect(all.map(([, each]) => each.name)).toEqual(['osls']);
});

test('npm installs the version of Node that is deployed, and bundles are made for it', () => {
  const [, major] = /^nodejs(\d+)\.x$/.exec(provider.runtime) ?? [];
  expect(BUNDLE.target).toBe(`node${major}`);
  const packages = Object.entries(optionalDependencies).filter(([name]) => name.startsWith('node-'));
  expect(packages.map(([name, version]) => `${name} ${version.split('.')[0]}`)).toEqual(
    ['darwin-x64', 'linux-arm64', 'linux-x64', 'win-x64'].map((platform) => `node-${platform} ${major}`),
  );
  expect(devDependencies['@types/node']?.split('.')[0]).toBe(major);
});

test("the AWS SDK's clients of this project have one version, and share one core", () => {
  const named = Object.entries({ ...dependencies, ...devDependencies }).filter(([name]) =>
    name.startsWith('@aws-sdk/'),
  );
  expect(new Set(named.map(([, version]) => version)).size).toBe(1);
  const cores = locked.filter(([path]) => /node_modules\/@(aws-sdk|smithy)\/core$/.test(path));
  expect(cores.map(([path]) => path)).toEqual(['node_modules/@aws-sdk/core', 'node_modules/@smithy/core']);
});

test('the lock file names no registry', () => {
  expect(locked.filter(([, { resolved }]) => resolved !== undefined)).toEqual([]);
});
