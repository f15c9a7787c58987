import type { Database } from '../../lib/users/database.ts';
import { createUserStore } from '../../lib/users/store.ts';
import type { UserFields } from '../../lib/users/user.ts';
import { createAsk } from '../ask.ts';
import type { Question } from '../catalogue.ts';
import { type Cost, type Figure, summarize } from '../figures.ts';
import type { Title } from '../lines.ts';
import { emptyJournal } from './journal.ts';

const ENTRIES = [0, 10, 20, 30] as const;

const PAGES = {
  'first page by name': [{ query: 'sort=name' }, { query: 'sort=name,desc' }],
  'keyword by last name': ['ski', 'son', 'mann'].map((keyword) => ({ query: `keyword=${keyword}&sort=lastName` })),
  'deep page by name': [0.25, 0.5, 0.75].map((depth) => ({ query: 'sort=name', depth })),
} as const satisfies Record<string, readonly Question[]>;

/** Measures pages while no fold runs, with as few entries in the journal as a fold may leave there. */
export async function measureResting(database: Database, draw: () => UserFields): Promise<[Title, Figure][]> {
  const ask = createAsk(database);
  const users = createUserStore(database);
  const figures: [Title, Figure][] = [];
  await emptyJournal(database);
  let created = 0;
  for (const entries of ENTRIES) {
    for (; created < entries; created++) await users.create(draw());
    for (const title of Object.keys(PAGES) as (keyof typeof PAGES)[]) {
      const costs: Cost[] = [];
      for (const question of PAGES[title]) costs.push({ units: (await ask(question)).units });
      figures.push([`${title}, ${entries} entries`, summarize(costs)]);
    }
  }
  return figures;
}
