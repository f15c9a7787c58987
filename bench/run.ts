/** `npm run bench [-- --quick]`: see bench/README.md. */
import { spawn } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { chart } from './chart.ts';
import { replaceSection } from './markdown.ts';
import type { Measurement } from './measure.ts';
import { report } from './report.ts';

const SIZES = [1_000, 10_000, 100_000];
const QUICK_SIZES = [1_000, 10_000];

const { values } = parseArgs({
  options: { quick: { type: 'boolean', default: false }, render: { type: 'boolean', default: false } },
});

/** In a process of its own; its progress is shown, its result is what it prints. */
function measure(users: number): Promise<Measurement> {
  process.stderr.write(`${users.toLocaleString('en-US')} users\n`);
  const child = spawn(
    process.execPath,
    ['node_modules/tsx/dist/cli.mjs', 'bench/measure.ts', String(users), ...(values.quick ? ['--quick'] : [])],
    {
      stdio: ['ignore', 'pipe', 'inherit'],
    },
  );
  let output = '';
  child.stdout.on('data', (chunk) => {
    output += chunk;
  });
  return new Promise((resolve, reject) => {
    child.once('exit', (code) =>
      code === 0 ? resolve(JSON.parse(output)) : reject(new Error(`Measuring ${users} users failed`)),
    );
  });
}

const RESULTS = 'bench/results.json';

async function measureAll(): Promise<Measurement[]> {
  if (values.render) return JSON.parse(readFileSync(RESULTS, 'utf8'));
  const measurements: Measurement[] = [];
  for (const users of values.quick ? QUICK_SIZES : SIZES) measurements.push(await measure(users));
  return measurements;
}

const measurements = await measureAll();
const { summary, details } = report(measurements);
process.stdout.write(`\n${summary}\n\n${details}\n`);
if (!values.quick) {
  writeFileSync('bench/chart.svg', chart(measurements));
  writeFileSync(RESULTS, `${JSON.stringify(measurements, null, 2)}\n`);
  replaceSection('README.md', 'bench', summary);
  replaceSection('bench/README.md', 'plans', details);
}
