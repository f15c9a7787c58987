/** `npm run bench`: see bench/README.md. */
import { readFileSync, writeFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import type { Measurement } from './figures.ts';
import { replaceSection } from './markdown.ts';
import { measurePace } from './pace.ts';
import { report } from './report.ts';
import { merged, toFile } from './results.ts';
import { measureSize } from './size.ts';
import { summary } from './summary.ts';

const SIZES = [1_000, 10_000, 100_000];
const QUICK_SIZES = [300, 1_000];
const MILLION = 1_000_000;
/** For how long there are creates while the fold runs. */
const LOAD_SECONDS = 180;
const QUICK_LOAD_SECONDS = 10;
const RESULTS = 'bench/results.json';

const { values } = parseArgs({
  options: {
    quick: { type: 'boolean', default: false },
    million: { type: 'boolean', default: false },
    render: { type: 'boolean', default: false },
    users: { type: 'string', multiple: true },
    pace: { type: 'boolean', default: false },
    seconds: { type: 'string' },
    creates: { type: 'string', default: '100' },
  },
});

function sizes(): number[] {
  if (values.render) return [];
  if (values.users) return values.users.map(Number);
  if (values.million) return [MILLION];
  if (values.pace) return values.quick ? QUICK_SIZES.slice(-1) : SIZES.slice(-1);
  return values.quick ? QUICK_SIZES : SIZES;
}

async function measure(users: number): Promise<Measurement> {
  process.stderr.write(`${users.toLocaleString('en-US')} users\n`);
  const { quick, pace, creates } = values;
  const seconds = Number(values.seconds ?? (quick ? QUICK_LOAD_SECONDS : LOAD_SECONDS));
  const figures = pace
    ? await measurePace({ users, seconds, rate: Number(creates), isQuick: quick })
    : await measureSize(users, quick);
  return { users, figures: Object.fromEntries(figures) };
}

function write(measurements: readonly Measurement[]): void {
  writeFileSync(RESULTS, toFile(measurements));
  replaceSection('bench/README.md', 'figures', report(measurements));
  replaceSection('README.md', 'figures', summary(measurements));
}

/** Sizes that are not measured now stay as they were recorded. */
const measured = new Map<number, Measurement>();
if (!values.quick) {
  const recorded: Measurement[] = JSON.parse(readFileSync(RESULTS, 'utf8'));
  for (const measurement of recorded) measured.set(measurement.users, merged(undefined, measurement));
}
for (const users of sizes()) {
  measured.set(users, merged(measured.get(users), await measure(users)));
  const all = [...measured.values()].toSorted((a, b) => a.users - b.users);
  if (!values.quick) write(all);
  else process.stdout.write(`\n${report(all)}\n`);
}
if (values.render) write([...measured.values()]);
