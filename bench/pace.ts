/**
 * `node bench/pace.ts 100000 180` measures whether the fold keeps up with writes, in a store of so many users, with load for so
 * many seconds. It prints the results as lines of JSON. The fold is a black box: it is run, and its calls are counted.
 */
import { openData, type Store } from './data.ts';
import { measureAlone } from './pace/alone.ts';
import { measureBeside } from './pace/beside.ts';
import { measurePrice } from './pace/price.ts';
import { measureResting } from './pace/resting.ts';
import { printFigures } from './print.ts';
import { newcomers } from './writes.ts';

const isQuick = process.argv.includes('--quick');
const [users, seconds] = process.argv.slice(2).map(Number);
if (!users || !seconds) throw new Error('Tell the number of users and the seconds of load');
/** All parts draw from one source: the same users again would change too little. */
const draw = newcomers();

async function withStore(measure: (store: Store) => Promise<void>): Promise<void> {
  const store = await openData(Number(users));
  await measure(store).finally(store.stop);
}

await withStore(async (store) => {
  const { database } = store;
  await printFigures('Lists at rest', () => measureResting(database, draw));
  await printFigures('Price of a create', () => measurePrice(database, draw, isQuick));
  await printFigures('The fold alone', () => measureAlone(store, draw, isQuick));
});
// A fresh store: what earlier parts leave behind, such as a long write-ahead log, makes it slower.
await withStore((store) => printFigures('Next to creates', () => measureBeside(store, { draw, seconds })));
