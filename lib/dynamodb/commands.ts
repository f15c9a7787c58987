interface ItemCommand {
  units: 'readUnits' | 'writeUnits';
  /** Members that every response has. Every request asks for `ConsumedCapacity`, so an empty `{}` is incomplete. */
  members: readonly string[];
}

const reads = (...members: string[]): ItemCommand => ({
  units: 'readUnits',
  members: ['ConsumedCapacity', ...members],
});

const WRITES: ItemCommand = { units: 'writeUnits', members: ['ConsumedCapacity'] };

/** The commands that read or write items, and so cost units. */
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
