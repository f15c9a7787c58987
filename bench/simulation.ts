/**
 * Simulates the partition of the journal while writers, readers and the fold use it. Each of them is a process that says how long it
 * waits before it goes on. Calls take no time here, so the only limit is DynamoDB's units.
 */
import { people } from '../lib/tooling/local/people.ts';
import { createIdSource, creationTime } from '../lib/users/ids.ts';
import { USERS_INDEXES } from '../lib/users/indexes.ts';
import { entryItem, entryKey, JOURNAL, packKeys } from '../lib/users/journal/entry.ts';
import { FORMAT, HEAD_KEY } from '../lib/users/journal/head.ts';
import { READ_WITHIN_MS } from '../lib/users/journal/journal.ts';
import { SIZES } from '../lib/users/sizes.ts';
import { chanceOf, SEED, times } from './sample.ts';

/** The units of a partition a second: https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/bp-partition-key-design.html */
const READ_UNITS = 3_000;
const WRITE_UNITS = 1_000;
/** For how long unused capacity is kept: https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/burst-adaptive-capacity.html */
const BURST_SECONDS = 300;

/** The bytes of a unit: https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/read-write-operations.html */
const READ_BYTES = 4_096;
const WRITE_BYTES = 1_024;
/** How many times the units a write costs in a transaction: https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/transaction-apis.html#transaction-capacity-handling */
const TRANSACTION = 2;

/** As the fold is deployed: lib/users/fold/fold.ts, and minimumAge in serverless.yml. */
export const MINIMUM_AGE_MS = 2_000;
const REST_MS = 10_000;
const REST_UNITS = 1;
/** How soon a fold is called after writes: the stream waits for thirty of them, or ten seconds. */
const CALL_MS = 100;
/** How soon a fold tries again after DynamoDB throttled it. Then, how often readers come. */
const RETRY_MS = 50;
const READERS_MS = 100;

const MEASURED_MS = 10_000;
/** As many entries as the benchmark has in "after them, while none is folded" (bench/README.md). */
const SAMPLE_ENTRIES = 2_000;
/** DynamoDB does not store zeros at the end of a number. This one has none, like most. */
const START = Date.parse('2026-01-01T00:00:00Z') + 1;

export interface Setup {
  writesPerSecond: number;
  /** How long it runs. The outcome is measured in the last ten seconds. */
  seconds?: number;
  /** How many entries a second the fold adds to the statistics. Unless told, only DynamoDB's units limit it. */
  pace?: number;
  /** Whether unused capacity is kept for five minutes, which DynamoDB does not promise. */
  burst?: boolean;
  /** Whether each listing reads the head once more, as it must if the journal has several partitions. */
  headAgain?: boolean;
}

export interface Outcome {
  /** Accepted writes a second, and throttled ones. */
  taken: number;
  throttled: number;
  /** Entries in the journal, on average. */
  entries: number;
  /** By how many entries a second the journal grows, in the second half of the time. */
  growth: number;
  /** Read units of the journal for one listing, on average. */
  units: number;
  /** How many listings a second the partition serves, at most. */
  listings: number;
}

/** A map takes so many bytes itself, and one more for each of its members. */
const MAP_BYTES = 3;

const isMap = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null;

/** An item in bytes: https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/CapacityUnitCalculations.html */
export function bytesOf(item: Readonly<Record<string, unknown>>): number {
  const valueBytes = (value: unknown): number => {
    if (typeof value === 'number') return Math.ceil(String(value).replace(/0+$/, '').length / 2) + 1;
    if (value instanceof Uint8Array) return value.length;
    return isMap(value) ? MAP_BYTES + Object.keys(value).length + bytesOf(value) : Buffer.byteLength(String(value));
  };
  return Object.entries(item).reduce((sum, [name, value]) => sum + Buffer.byteLength(name) + valueBytes(value), 0);
}

/** The bytes of journal entries, for users as the benchmark creates them. */
export const ENTRY_SIZES: readonly number[] = (() => {
  const source = people(SEED + 1);
  const nextId = createIdSource({ now: () => START, random: chanceOf(SEED).random });
  return times(SAMPLE_ENTRIES, () => {
    const after = { ...source.next().value, id: nextId(), version: 1 };
    return bytesOf(entryItem({ id: after.id, version: 1, before: undefined, after }, creationTime(after.id)));
  });
})();

/** The bytes of the head at a stage with a million users, without a batch. */
export const HEAD_BYTES = bytesOf({
  pk: JOURNAL,
  sk: HEAD_KEY,
  format: FORMAT,
  generation: '123456-abc123',
  segmented: USERS_INDEXES.map(({ short }) => short).join(),
  epoch: 123_456,
  total: 1_000_001,
  tag: 2 ** 47 - 1,
  claimedAt: START,
});

export const readUnitsOf = (bytes: number): number => Math.ceil(bytes / READ_BYTES);

/** Units that come at a constant rate. Unused units are kept for some seconds. */
function createCapacity(perSecond: number, keptSeconds: number, clock: () => number) {
  let [left, since] = [perSecond * keptSeconds, 0];
  const available = () => {
    left = Math.min(perSecond * keptSeconds, left + ((clock() - since) / 1_000) * perSecond);
    since = clock();
    return left;
  };
  return {
    available,
    take(units: number): boolean {
      if (available() < units) return false;
      left -= units;
      return true;
    },
  };
}

interface Entry {
  sk: string;
  bytes: number;
  /** When it was written, in milliseconds. */
  at: number;
}

/** Yields how many milliseconds it waits. */
type Process = Generator<number, void>;

/** Runs processes side by side, each when its time has come. */
function run(processes: readonly Process[], end: number, onTime: (now: number) => void): void {
  const waiting = processes.map((process) => ({ process, at: 0 }));
  for (;;) {
    const next = waiting.reduce((first, each) => (each.at < first.at ? each : first));
    if (next.at > end) return;
    onTime(next.at);
    next.at += next.process.next().value ?? Number.POSITIVE_INFINITY;
  }
}

/** The same outcome for the same setup. */
export function simulate(setup: Setup): Outcome {
  const { writesPerSecond, seconds = 120, pace = Number.POSITIVE_INFINITY, burst = false, headAgain = false } = setup;
  let now = 0;
  const clock = () => now;
  const keptSeconds = burst ? BURST_SECONDS : 1;
  const reads = createCapacity(READ_UNITS, keptSeconds, clock);
  const writes = createCapacity(WRITE_UNITS, keptSeconds, clock);
  const { random } = chanceOf(SEED);
  const nextId = createIdSource({ now: () => START + Math.floor(now), random });

  const journal: Entry[] = [];
  let bytes = HEAD_BYTES;
  const end = seconds * 1_000;
  const measured = { taken: 0, throttled: 0, listings: 0, readings: 0, entries: 0, units: 0, entriesHalfWay: 0 };
  const isMeasured = () => now > end - MEASURED_MS;
  const isHalfWay = () => now > (end - MEASURED_MS) / 2 && now <= (end + MEASURED_MS) / 2;

  /** Write at a steady rate, each a little early or late. A throttled write is lost. */
  function* writers(): Process {
    for (let i = 0; ; i++) {
      yield ((0.5 + random()) / writesPerSecond) * 1_000;
      const size = ENTRY_SIZES[i % ENTRY_SIZES.length] ?? 0;
      if (!writes.take(TRANSACTION * Math.ceil(size / WRITE_BYTES))) {
        if (isMeasured()) measured.throttled++;
        continue;
      }
      journal.push({ sk: entryKey({ id: nextId(), version: 1 }), bytes: size, at: now });
      bytes += size;
      if (isMeasured()) measured.taken++;
    }
  }

  /** Read as often as the partition serves them. */
  function* readers(): Process {
    for (;;) {
      const units = readUnitsOf(bytes);
      if (isHalfWay()) measured.entriesHalfWay += journal.length;
      if (isMeasured()) {
        measured.readings++;
        measured.entries += journal.length;
        measured.units += units;
      }
      while (reads.take(units + (headAgain ? readUnitsOf(HEAD_BYTES) : 0))) if (isMeasured()) measured.listings++;
      yield READERS_MS;
    }
  }

  function* pay(units: number): Process {
    while (!writes.take(units)) yield RETRY_MS;
  }

  /** The oldest entries come first. */
  const isAtRest = () => readUnitsOf(bytes) <= REST_UNITS && now - (journal[0]?.at ?? now) < REST_MS;

  /** A fold with the steps of lib/users/fold/fold.ts. */
  function* fold(): Process {
    for (;;) {
      if (isAtRest()) {
        yield CALL_MS;
        continue;
      }
      reads.take(readUnitsOf(bytes));
      const batch = journal.slice(0, SIZES.batchEntries);
      const packed = packKeys(batch.map(({ sk }) => sk)).length;
      const headUnits = Math.ceil((HEAD_BYTES + packed) / WRITE_BYTES);
      yield* pay(headUnits);
      bytes += packed;
      yield Math.max(MINIMUM_AGE_MS, (batch.length / pace) * 1_000 + READ_WITHIN_MS);
      for (let left = batch.length; left > 0; ) {
        const deleted = journal.splice(0, Math.min(left, Math.floor(writes.available())));
        writes.take(deleted.length);
        for (const entry of deleted) bytes -= entry.bytes;
        left -= deleted.length;
        if (left > 0) yield RETRY_MS;
      }
      yield* pay(headUnits);
      bytes -= packed;
    }
  }

  // Without writes nobody calls the fold.
  const processes = [readers(), ...(writesPerSecond > 0 ? [writers(), fold()] : [])];
  run(processes, end, (at) => {
    now = at;
  });
  const { taken, throttled, listings, readings, entries, units, entriesHalfWay } = measured;
  const perSecond = (count: number) => count / (MEASURED_MS / 1_000);
  return {
    taken: perSecond(taken),
    throttled: perSecond(throttled),
    entries: entries / readings,
    growth: (entries - entriesHalfWay) / readings / ((end - MEASURED_MS) / 2_000),
    units: units / readings,
    listings: perSecond(listings),
  };
}
