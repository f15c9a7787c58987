import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { parse } from 'yaml';
import type { Measurement } from '../../bench/figures.ts';
import { readSection } from '../../bench/markdown.ts';
import { cutTable, partitionTable, scaleChart } from '../../bench/scale.ts';
import { bytesOf, ENTRY_SIZES, HEAD_BYTES, MINIMUM_AGE_MS, readUnitsOf, simulate } from '../../bench/simulation.ts';
import { alarmsOf } from '../../lib/tooling/deploy/alarms.ts';
import { dashboardOf } from '../../lib/tooling/deploy/dashboard.ts';

const READ_UNITS = 3_000;
const ENTRIES_BYTES = ENTRY_SIZES.reduce((sum, bytes) => sum + bytes, 0);
const MEAN_BYTES = ENTRIES_BYTES / ENTRY_SIZES.length;

const text = readFileSync('docs/scale.md', 'utf8').replaceAll('\n', ' ');

describe('an item', () => {
  test('has the bytes of its names and values, by the rules of DynamoDB', () => {
    expect(bytesOf({ pk: 'journal', sk: 'é' })).toBe(2 + 7 + 2 + 2);
    expect(bytesOf({ n: 1_234_500 })).toBe(1 + 4);
    expect(bytesOf({ batch: new Uint8Array(9) })).toBe(5 + 9);
    expect(bytesOf({ f: { n: 'Ann', a: 7 } })).toBe(1 + 3 + (1 + 1 + 3) + (1 + 1 + 2));
  });

  test('of the journal has as many bytes in the simulation as the benchmark measured', () => {
    expect(ENTRY_SIZES.length).toBe(2_000);
    const measured: Measurement[] = JSON.parse(readFileSync('bench/results.json', 'utf8'));
    // It is the same at every number of users. A thousand users are measured most often.
    const ofThousand = measured.find(({ users }) => users === 1_000);
    const median = ofThousand?.figures['after them, while none is folded']?.units.median ?? 0;
    // Of many creates at once, some are not written in the millisecond of their id: these entries have a time.
    const least = 0.5 + readUnitsOf(HEAD_BYTES + ENTRIES_BYTES);
    expect(median).toBeGreaterThanOrEqual(least);
    expect(median).toBeLessThan(1.03 * least);
  });
});

describe('the simulated partition of the journal', () => {
  test.each([50, 330])('is at rest with %d writes a second, as arithmetic says', (writesPerSecond) => {
    const { taken, throttled, entries, growth, units, listings } = simulate({ writesPerSecond });
    expect(throttled).toBe(0);
    expect(Math.abs(taken - writesPerSecond) / writesPerSecond).toBeLessThan(0.03);
    expect(Math.abs(growth)).toBeLessThan(1);
    // An entry stays two seconds in a batch, after one second on average until a batch claims it.
    expect(entries / writesPerSecond).toBeGreaterThan(2.9);
    expect(entries / writesPerSecond).toBeLessThan(3.2);
    // The keys of the batch add some bytes to the head, and a part of a unit counts as a unit.
    const least = (HEAD_BYTES + entries * MEAN_BYTES) / 4_096;
    expect(units).toBeGreaterThan(least);
    expect(units).toBeLessThan(least * 1.04 + 1);
    // While the journal is short, more are served.
    expect((listings * units) / READ_UNITS).toBeGreaterThan(0.99);
    expect((listings * units) / READ_UNITS).toBeLessThan(1.1);
  });

  test('grows by the entries that a slow fold leaves', () => {
    const { growth } = simulate({ writesPerSecond: 100, pace: 25, seconds: 300 });
    expect(Math.abs(growth - (100 - 25))).toBeLessThan(6);
  });

  test('takes more writes with burst capacity, until that is used up', () => {
    // There are 300 × 1,000 units to spare. Each second takes 3 × 700 − 1,000 of them, so they last for 273 s.
    expect(simulate({ writesPerSecond: 700, burst: true, seconds: 250 }).throttled).toBe(0);
    expect(simulate({ writesPerSecond: 700, burst: true, seconds: 300 }).throttled).toBeGreaterThan(0);
  });

  test('keeps entries for as long as the deployed fold does', () => {
    const { params } = parse(readFileSync('serverless.yml', 'utf8'), { logLevel: 'silent' });
    expect(MINIMUM_AGE_MS).toBe(params.default.minimumAge);
  });
});

describe('docs/scale.md', () => {
  test('shows what the simulation gives: if not, run `npm run bench:partition`', () => {
    expect(readSection('docs/scale.md', 'partition')).toBe(partitionTable());
    expect(readSection('docs/scale.md', 'cut')).toBe(cutTable());
    expect(readFileSync('docs/scale.svg', 'utf8')).toBe(scaleChart());
  });

  const deployed = { service: 's', stage: 'x', tables: { users: 'u', directory: 'd' }, hasEvents: false };
  const alarms = alarmsOf(deployed);

  test('names alarms that are deployed', () => {
    const names = Object.values(alarms).map(({ Properties }) => String(Properties?.AlarmName).replace('s-x-', ''));
    const named = [...text.matchAll(/alarms? `([^`]*)`/g)].map(([, name]) => name);
    expect(named.length).toBeGreaterThan(5);
    expect(names).toEqual(expect.arrayContaining(named));
  });

  test('names widgets of the dashboard, and metrics that are watched', () => {
    const widgets = [
      'Entries of the journal',
      'Entries folded per minute',
      'Requests per minute',
      'Write units of the fold per minute',
      'Write units per minute of what may be one partition (60,000 at most)',
    ];
    const units = ['ConsumedReadCapacityUnits', 'ConsumedWriteCapacityUnits', 'ThrottledRequests'];
    const metrics = ['oldestEntrySeconds', 'journalEntries', 'foldedEntries', ...units];
    const watched = JSON.stringify([alarms, dashboardOf(deployed, [])]).replaceAll('\\', '');
    for (const title of widgets) {
      expect(text).toContain(`"${title}"`);
      expect(watched).toContain(`"title":"${title}"`);
    }
    for (const name of metrics) {
      expect(text).toContain(`\`${name}\``);
      expect(watched).toContain(name);
    }
  });
});
