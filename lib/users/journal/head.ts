import { UpdateCommand, type UpdateCommandInput } from '@aws-sdk/lib-dynamodb';
import { isConditionFailed } from '../../dynamodb/errors.ts';
import type { TransactionItem } from '../../dynamodb/transact.ts';
import { fault } from '../../errors.ts';
import type { Database } from '../database.ts';
import { JOURNAL, packKeys, unpackKeys } from './entry.ts';

/** Sorts before all entries. */
export const HEAD_KEY = '#head';

/** The version of the format of journal and statistics. */
export const FORMAT = 4;

/** The first item of the journal: the sums of all writes that are no longer in it. */
export interface Head {
  /** Whether the sums and the statistics stand for the users. A lost head, and one of restored tables, does not: see newStage.ts. */
  isMade: boolean;
  /** Rises with each batch of entries that is folded. */
  epoch: number;
  /** The keys of the entries that are being folded. Empty if no fold is under way. */
  batch: readonly string[];
  /** The number of users, including the batch. */
  total: number;
  /** The sum, modulo 2^48, of a hash of each user's current version, including the batch. */
  checksum: number;
  /** The sum, modulo 2^48, of the hashes of all entries ever folded, including the batch. */
  tag: number;
  /** When the batch was claimed, in Unix milliseconds. Another fold takes over an old batch. */
  claimedAt: number;
  /** In Unix milliseconds. Until then no fold claims a batch, because the statistics are being verified or repaired. */
  heldUntil: number;
}

const NONE: Head = { isMade: false, epoch: 0, batch: [], total: 0, checksum: 0, tag: 0, claimedAt: 0, heldUntil: 0 };

/** @throws {ServiceError} 500 when another version of the service has written the tables */
export function toHead(item: Record<string, unknown> | undefined): Head {
  if (!item) return NONE;
  if (item.format !== undefined && item.format !== FORMAT) {
    throw fault(`The tables have format ${item.format}; this version knows ${FORMAT} alone`);
  }
  return {
    isMade: item.format !== undefined,
    epoch: Number(item.epoch ?? 0),
    batch: item.batch ? unpackKeys(item.batch as Uint8Array) : [],
    total: Number(item.total ?? 0),
    checksum: Number(item.checksum ?? 0),
    tag: Number(item.tag ?? 0),
    claimedAt: Number(item.claimedAt ?? 0),
    heldUntil: Number(item.heldUntil ?? 0),
  };
}

/** @returns false when the condition does not hold, or when the SDK repeats the update because its response was lost */
async function update({ dynamo, tables }: Database, expressions: Partial<UpdateCommandInput>): Promise<boolean> {
  try {
    const Key = { pk: JOURNAL, sk: HEAD_KEY };
    await dynamo.send(new UpdateCommand({ TableName: tables.directory, Key, ...expressions }));
    return true;
  } catch (error) {
    if (isConditionFailed(error)) return false;
    throw error;
  }
}

/** There is no batch, and the fold is not held. */
const IS_FREE = 'attribute_not_exists(#batch) AND (attribute_not_exists(heldUntil) OR heldUntil < :now)';

/** The head of no users. @returns false when there is one already */
export const makeHead = (database: Database): Promise<boolean> =>
  update(database, {
    UpdateExpression:
      'SET #format = :format, epoch = if_not_exists(epoch, :zero), #total = :zero, checksum = :zero, #tag = :zero, claimedAt = :zero',
    ConditionExpression: `attribute_not_exists(#format) AND ${IS_FREE}`,
    ExpressionAttributeNames: { '#format': 'format', '#batch': 'batch', '#total': 'total', '#tag': 'tag' },
    ExpressionAttributeValues: { ':format': FORMAT, ':zero': 0, ':now': database.runtime.now() },
  });

/** Makes entries the batch. @returns false when another fold was faster, or the fold is held */
export function claim(
  database: Database,
  head: Head,
  next: Pick<Head, 'batch' | 'total' | 'checksum' | 'tag'>,
): Promise<boolean> {
  return update(database, {
    UpdateExpression:
      'SET epoch = :next, #batch = :batch, #total = :total, checksum = :checksum, #tag = :tag, claimedAt = :now',
    ConditionExpression: `#format = :format AND epoch = :read AND ${IS_FREE}`,
    ExpressionAttributeNames: { '#format': 'format', '#batch': 'batch', '#total': 'total', '#tag': 'tag' },
    ExpressionAttributeValues: {
      ':format': FORMAT,
      ':read': head.epoch,
      ':next': head.epoch + 1,
      ':batch': packKeys(next.batch),
      ':total': next.total,
      ':checksum': next.checksum,
      ':tag': next.tag,
      ':now': database.runtime.now(),
    },
  });
}

/** Ends a batch whose entries are deleted. @returns false when another fold has ended it */
export const release = (database: Database, epoch: number): Promise<boolean> =>
  update(database, {
    UpdateExpression: 'REMOVE #batch',
    ConditionExpression: 'epoch = :epoch AND attribute_exists(#batch)',
    ExpressionAttributeNames: { '#batch': 'batch' },
    ExpressionAttributeValues: { ':epoch': epoch },
  });

/** For a transaction between two folds: it requires that no fold runs or is held, and takes an epoch of its own. */
export const advance = ({ tables, runtime }: Database, { epoch }: Head): TransactionItem => ({
  Update: {
    TableName: tables.directory,
    Key: { pk: JOURNAL, sk: HEAD_KEY },
    UpdateExpression: 'SET epoch = :next',
    ConditionExpression: `epoch = :read AND ${IS_FREE}`,
    ExpressionAttributeNames: { '#batch': 'batch' },
    ExpressionAttributeValues: { ':read': epoch, ':next': epoch + 1, ':now': runtime.now() },
  },
});

/** For a transaction of the process that holds the fold: it fails if the hold has ended, as a fold may have run since. */
export const stillHeld = ({ tables, runtime }: Database): TransactionItem => ({
  ConditionCheck: {
    TableName: tables.directory,
    Key: { pk: JOURNAL, sk: HEAD_KEY },
    ConditionExpression: 'heldUntil > :now AND attribute_not_exists(#batch)',
    ExpressionAttributeNames: { '#batch': 'batch' },
    ExpressionAttributeValues: { ':now': runtime.now() },
  },
});
