interface ItemCommand {
  units: 'readUnits' | 'writeUnits';
  /** Members without which an answer is none. `ConsumedCapacity` is always asked for, so that no answer is just `{}`. */
  members: readonly string[];
}

const reads = (...members: string[]): ItemCommand => ({
  units: 'readUnits',
  members: ['ConsumedCapacity', ...members],
});

const WRITES: ItemCommand = { units: 'writeUnits', members: ['ConsumedCapacity'] };

/** The calls that work on items, and therefore cost units. */
export const ITEM_COMMANDS: Readonly<Record<string, ItemCommand>> = {
  GetItemCommand: reads(),
  BatchGetItemCommand: reads('Responses'),
  TransactGetItemsCommand: reads('Responses'),
  QueryCommand: reads('Count'),
  ScanCommand: reads('Count'),
  PutItemCommand: WRITES,
  UpdateItemCommand: WRITES,
  DeleteItemCommand: WRITES,
  BatchWriteItemCommand: WRITES,
  TransactWriteItemsCommand: WRITES,
};
