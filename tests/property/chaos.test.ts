import { expect, test } from 'vitest';
import { race } from '../support/fake/race.ts';
import { logOfEachTest } from '../support/logs.ts';

/** `npm run test:long` takes more and longer ones. Each run takes another one. */
const SEEDS = Number(process.env.CHAOS_SEEDS ?? 1);
const OPERATIONS = Number(process.env.CHAOS_OPERATIONS ?? 250);
const FIRST_SEED = Number(process.env.CHAOS_SEED ?? Math.floor(Math.random() * 1e9));

const CLIENTS = 4;

logOfEachTest();

test.each(Array.from({ length: SEEDS }, (_, i) => FIRST_SEED + i))(
  'an acknowledged write stays, any other happens once or never, and lists are exact, while over a quarter of all attempts fail: CHAOS_SEED=%i',
  async (seed) => {
    const { attempts, faults, ...report } = await race({
      seed,
      clients: CLIENTS,
      operations: OPERATIONS / CLIENTS,
      writers: 0,
      readers: 1,
      reads: OPERATIONS / 10,
      faultPercent: 30,
      itemsPerPage: 40,
      historyDays: 7,
      limits: { batchEntries: 20, deltaCharacters: 200, partBytes: 400, mergeLeast: 15, mergeShare: 0.3 },
    });
    expect(faults / attempts).toBeGreaterThan(0.25);
    expect(report.crashes).toBeGreaterThan(1);
    for (const outcome of ['done', 'gone', 'unavailable', 'exact'] as const)
      expect(report[outcome], outcome).toBeGreaterThan(0);
  },
);
