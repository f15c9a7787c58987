/** `npm run bench:partition`: see docs/scale.md. */
import { writeFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { replaceSection } from './markdown.ts';
import { cutTable, partitionTable, scaleChart } from './scale.ts';
import { simulate } from './simulation.ts';

const { values } = parseArgs({
  options: {
    writes: { type: 'string' },
    seconds: { type: 'string', default: '120' },
    pace: { type: 'string', default: 'Infinity' },
    burst: { type: 'boolean', default: false },
  },
});

if (values.writes === undefined) {
  replaceSection('docs/scale.md', 'partition', partitionTable());
  replaceSection('docs/scale.md', 'cut', cutTable());
  writeFileSync('docs/scale.svg', scaleChart());
} else {
  const [writesPerSecond, seconds, pace] = [values.writes, values.seconds, values.pace].map(Number);
  if (!writesPerSecond || !seconds || !pace) throw new Error('--writes, --seconds and --pace are positive numbers');
  console.log(simulate({ writesPerSecond, seconds, pace, burst: values.burst }));
}
