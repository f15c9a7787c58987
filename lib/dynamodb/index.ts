export { deleteItems, putItems, readItemsByKey } from './batches.ts';
export { createDynamo, type DynamoAccess, UNHURRIED } from './client.ts';
export { insertItems } from './inserts.ts';
export { firstItem, type KeyRange, queryItems, rangeQuery } from './query.ts';
export { Again, CONFLICT_DELAYS, type Delays, type Patience, retry, THROTTLING_DELAYS } from './retry.ts';
export { type Item, scanItems } from './scan.ts';
export { type TransactionItem, transact } from './transact.ts';
export { type Update, update } from './update.ts';
