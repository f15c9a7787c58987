/**
 * `node bench/pace.ts 100000 180`: measures whether the fold keeps up with writes, in a store of so many users, with load for
 * so many seconds, and prints what it found as lines of JSON. The fold is a closed box: it is run, and its calls are counted.
 */
import { openData } from './data.ts';
import { measureAlone } from './pace/alone.ts';
import { measureBeside } from './pace/beside.ts';
import { measurePrice } from './pace/price.ts';
import { measureResting } from './pace/resting.ts';
import { printFigures } from './print.ts';
import { newcomers } from './writes.ts';

const isQuick = process.argv.includes('--quick');
const [users, seconds] = process.argv.slice(2).map(Number);
if (!users || !seconds) throw new Error('Tell the number of users and the seconds of load');
const store = await openData(users);
const { database } = store;
/** The same ones would change nothing that the last part has not changed. */
const draw = newcomers();

try {
  await printFigures('Lists at rest', () => measureResting(database, draw));
  await printFigures('Price of a create', () => measurePrice(database, draw, isQuick));
  await printFigures('The fold alone', () => measureAlone(store, draw, isQuick));
  await printFigures('Beside creates', () => measureBeside(store, { draw, seconds }));
} finally {
  await store.stop();
}
