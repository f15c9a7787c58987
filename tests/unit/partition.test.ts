import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { parse } from 'yaml';
import type { Measurement } from '../../bench/figures.ts';
import { readSection } from '../../bench/markdown.ts';
import { cutTable, partitionTable, scaleChart, simulateCut } from '../../bench/scale.ts';
import { bytesOf, ENTRY_SIZES, HEAD_BYTES, MINIMUM_AGE_MS, readUnitsOf, simulate } from '../../bench/simulation.ts';
import { alarmsOf } from '../../lib/tooling/deploy/alarms.ts';
import { dashboardOf } from '../../lib/tooling/deploy/dashboard.ts';

const READ_UNITS = 3_000;

const ENTRIES_BYTES = ENTRY_SIZES.reduce((sum, bytes) => sum + bytes, 0);
const MEAN_BYTES = ENTRIES_BYTES / ENTRY_SIZES.length;

const measured: Measurement[] = JSON.parse(readFileSync('bench/results.json', 'utf8'));
const text = readFileSync('docs/scale.md', 'utf8');
const number = (value: number | undefined): string => value?.toLocaleString('en-US') ?? '';

function unitsOf(users: number, title: string) {
  const figure = measured.find((measurement) => measurement.users === users)?.figures[title];
  if (!figure) throw new Error(`${title} was not measured at ${users} users`);
  return figure.units;
}

describe('an item', () => {
  test('has the bytes of its names and values, by the rules of DynamoDB', () => {
    expect(bytesOf({ pk: 'journal', sk: 'é' })).toBe(2 + 7 + 2 + 2);
    expect(bytesOf({ n: 1 })).toBe(1 + 2);
    expect(bytesOf({ n: 1_234_500 })).toBe(1 + 4);
    expect(bytesOf({ batch: new Uint8Array(9) })).toBe(5 + 9);
    expect(bytesOf({ f: { n: 'Ann', a: 7 } })).toBe(1 + 3 + (1 + 1 + 3) + (1 + 1 + 2));
  });

  test('of the journal has as many bytes in the simulation as the benchmark measured', () => {
    expect(ENTRY_SIZES.length).toBe(2_000);
    // It is the same at every number of users. A thousand users are measured most often.
    const { median } = unitsOf(1_000, 'after them, while none is folded');
    // Of many creates at once, some are not written in the millisecond of their id: these entries have a time.
    const least = 0.5 + readUnitsOf(HEAD_BYTES + ENTRIES_BYTES);
    expect(median).toBeGreaterThanOrEqual(least);
    expect(median).toBeLessThan(1.03 * least);
  });
});

describe('the simulated partition of the journal', () => {
  test('serves 3,000 listings a second while nobody writes', () => {
    const atRest = { taken: 0, throttled: 0, entries: 0, growth: 0, units: 1, listings: READ_UNITS };
    expect(simulate({ writesPerSecond: 0 })).toEqual(atRest);
  });

  test.each([50, 100, 200, 300, 330])('is at rest with %d writes a second, as arithmetic says', (writesPerSecond) => {
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
    const { growth, throttled } = simulate({ writesPerSecond: 100, pace: 25, seconds: 300 });
    expect(throttled).toBeLessThan(1);
    expect(Math.abs(growth - (100 - 25))).toBeLessThan(6);
  });

  test('takes more writes with burst capacity, until that is used up', () => {
    const { growth, throttled } = simulate({ writesPerSecond: 400, burst: true });
    expect([Math.abs(Math.round(growth)), throttled]).toEqual([0, 0]);
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

  const [first, create, any] = [
    'first page, any single order but status and country',
    'create, at once',
    'any page: of all, a country, a status, both, an e-mail; in any order there is a list for',
  ];
  const [large, larger] = [100_000, 1_000_000].map((users) => unitsOf(users, any));
  const keyword = unitsOf(1_000_000, 'keyword of three letters or more with a status, any order').most;
  const beside = simulate({ writesPerSecond: 100 });
  const slow = simulate({ writesPerSecond: 100, pace: 40 });
  const tooMany = simulate({ writesPerSecond: 400 });
  const taken = Math.round(tooMany.taken);
  const [pace, paceAtAMillion] = [100_000, 1_000_000].map((users) => unitsOf(users, 'entries a second').median);

  test.each([
    `A first page costs ${unitsOf(1_000, first).median} units and a create ${unitsOf(1_000, create).most} at 1,000 users and at a million`,
    `A first page costs ${unitsOf(1_000_000, first).median} units and a create ${unitsOf(1_000_000, create).most} at`,
    `a page at any depth costs ${large?.median} units at 100,000 users and ${larger?.median} at a million (median; at most ${large?.most} and ${larger?.most})`,
    `${Math.round(MEAN_BYTES)} bytes on average. 2,000 of them and the head weigh ${unitsOf(1_000, 'after them, while none is folded').median - 0.5} units`,
    `3,000 ÷ ${number(keyword)} = ${Math.floor(READ_UNITS / keyword)} of the dearest`,
    `${unitsOf(100_000, 'in the first 10 seconds of 10 writes a second').median} units for a first page next to 10 writes`,
    `("create, at once": ${unitsOf(100_000, create).most}; "patch of the country, at once": ${unitsOf(100_000, 'patch of the country, at once').most}`,
    `${beside.units.toFixed(1)} units on average, ${Math.floor(READ_UNITS / beside.units)} listings and, as it is shorter at times, ${Math.round(beside.listings)}`,
    `3,000 listings a second at rest, ${Math.round(beside.listings)} next to 100 writes a second`,
    `100 × ${Math.round(MEAN_BYTES)} + ${HEAD_BYTES} + keys`,
    `${number(Math.round(slow.entries))} entries after two minutes, a first page of ${(0.5 + slow.units).toFixed(1)} units`,
    `some ${Math.round((pace ?? 0) / 10) * 10} writes a second, for long`,
    `${Math.round(pace ?? 0)} entries a second at 100,000 users, ${Math.round(paceAtAMillion ?? 0)} at a million`,
    `3 × ${taken} − 1,000 = ${3 * taken - 1_000} entries a second, ${Math.round(tooMany.growth)} in the table`,
    `${Math.round(simulateCut(100, 4).listings)} listings with 4 parts instead of ${Math.round(beside.listings)}`,
    `150 × ${beside.units.toFixed(1)} = ${number(Math.round(150 * Number(beside.units.toFixed(1))))} units`,
  ])('has its numbers from the benchmark and the simulation: %s', (sentence) => {
    expect(text.replaceAll(/\n */g, ' ')).toContain(sentence);
  });

  const deployed = { service: 's', stage: 'x', tables: { users: 'u', directory: 'd' }, hasEvents: false };
  const alarms = alarmsOf(deployed);

  test('names alarms that are deployed', () => {
    const names = Object.values(alarms).map(({ Properties }) => String(Properties?.AlarmName).replace('s-x-', ''));
    const named = [...text.matchAll(/alarms? `([^`]*)`/g)].map(([, name]) => name);
    expect(named.length).toBeGreaterThan(5);
    expect(named.filter((name) => !names.includes(name ?? ''))).toEqual([]);
  });

  test.each([
    'Entries of the journal',
    'Entries folded per minute',
    'Requests per minute',
    'Write units of the fold per minute',
    'Write units per minute of what may be one partition (60,000 at most)',
  ])('names a widget that the dashboard has: %s', (title) => {
    expect(text.replaceAll('\n', ' ')).toContain(`"${title}"`);
    expect(JSON.stringify(dashboardOf(deployed, [])).replaceAll('\\', '')).toContain(`"title":"${title}"`);
  });

  test.each([
    'oldestEntrySeconds',
    'journalEntries',
    'foldedEntries',
    'ConsumedReadCapacityUnits',
    'ConsumedWriteCapacityUnits',
    'ThrottledRequests',
  ])('names a metric that is watched: %s', (name) => {
    expect(text).toContain(`\`${name}\``);
    expect(JSON.stringify([alarms, dashboardOf(deployed, [])])).toContain(name);
  });
});
