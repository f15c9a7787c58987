/** Starts new containers, and says what they cost. */
import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { build } from 'esbuild';
import { PACKAGED } from '../tools/deploy/bundle.ts';
import type { Container, KINDS } from './container.ts';
import type { Store } from './data.ts';
import { type Figures, maximum, spread } from './figures.ts';

const CONTAINERS = 5;
const BUNDLE = '.local/bench-container.cjs';

/** Its code is one file, as it is deployed: what is stripped of types in the process would be a part of its memory, and of its collections. */
export async function startContainer(endpoint: string, kind: keyof typeof KINDS): Promise<Container> {
  await build({ ...PACKAGED, entryPoints: ['bench/container.ts'], outfile: BUNDLE });
  const { stdout } = await promisify(execFile)(process.execPath, [BUNDLE, endpoint, kind], { maxBuffer: 1e8 });
  return JSON.parse(stdout);
}

export async function measureContainers({ endpoint }: Store): Promise<Figures> {
  const found = await Array.fromAsync({ length: CONTAINERS }, () => startContainer(endpoint, 'asked'));
  const {
    megabytes: [empty = 0],
  } = await startContainer(endpoint, 'empty');
  const firsts = found.flatMap(({ costs: [first] }) => first ?? []);
  const [times, sizes] = [
    found.map(({ costs }) => costs.map(({ milliseconds }) => milliseconds)),
    found.map(({ megabytes }) => megabytes.map((most) => most - empty)),
  ];
  /** The most of some questions, in each container. The last is that for words. */
  const mostOf = (figures: number[][], from: number, to?: number) =>
    figures.map((each) => Math.max(...each.slice(from, to)));
  return {
    'read units': maximum(firsts.map(({ readUnits }) => readUnits)),
    calls: maximum(firsts.map(({ calls }) => calls)),
    'first page by name, milliseconds': spread(mostOf(times, 0, 1)),
    'another question for the first time, milliseconds': spread(mostOf(times, 1, -1)),
    'words for the first time, milliseconds': spread(mostOf(times, -1)),
    'most megabytes over an empty function, for the first page': maximum(mostOf(sizes, 0, 1)),
    'most megabytes over an empty function, for all but words': maximum(mostOf(sizes, 0, -1)),
    'most megabytes over an empty function, for all of them': maximum(mostOf(sizes, 0)),
  };
}
