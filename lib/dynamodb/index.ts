export { deleteItems, getItems, putItems } from './batches.ts';
export { createDynamo, type DynamoAccess } from './client.ts';
export { insertItems } from './inserts.ts';
export { get, type Item, put } from './items.ts';
export { type KeyRange, type Page, query, queryFirst, queryPages } from './query.ts';
export { Again, type Delays, type Patience, retry } from './retry.ts';
export { scan, scanFrom } from './scan.ts';
export { type TransactionItem, transact } from './transact.ts';
export { type Update, update } from './update.ts';
