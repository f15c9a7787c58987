import { expect, test } from 'vitest';
import { BUNDLE } from '../../tools/deploy/bundle.ts';
import { read, readYaml } from '../support/files.ts';

type Versions = Record<string, string>;
type Package = { version: string } & Record<'dependencies' | 'devDependencies' | 'optionalDependencies', Versions>;

interface Locked {
  name?: string;
  version: string;
  resolved?: string;
}

const readJson = <Content>(file: string): Content => JSON.parse(read(file));

const { dependencies, devDependencies, optionalDependencies } = readJson<Package>('package.json');
const locked = Object.entries(readJson<{ packages: Record<string, Locked> }>('package-lock.json').packages);
const { provider } = readYaml('serverless.yml');

test('the installed serverless is osls, and there is no other (docs/decisions/0012-osls.md)', () => {
  const { version } = readJson<Package>('node_modules/serverless/package.json');
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
