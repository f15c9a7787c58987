import { UpdateCommand, type UpdateCommandInput } from '@aws-sdk/lib-dynamodb';
import { isConditionFailed } from '../../dynamodb/errors.ts';
import type { TransactionItem } from '../../dynamodb/transact.ts';
import { fault } from '../../errors.ts';
import type { Database } from '../database.ts';
import { JOURNAL, packKeys, unpackKeys } from './entry.ts';

/** Sorts before all entries. */
export const HEAD_KEY = '#head';

/** How items of the journal and of the statistics are written. */
export const FORMAT = 2;

/** The first item of the journal: what the folds have made of all writes that are not in it any more. */
export interface Head {
  /** Rises with each batch of entries that is folded. */
  epoch: number;
  /** The keys of the entries that are being folded; none at rest. */
  batch: readonly string[];
  /** How many users there are, with the batch. */
  total: number;
  /** The sum, modulo 2^48, of a hash of each version of each user, with the batch. */
  checksum: number;
  /** The sum, modulo 2^48, of the hashes of all entries ever folded, with the batch. */
  tag: number;
  /** When the batch was claimed, in Unix milliseconds: tells others whether it is worth their while to help. */
  claimedAt: number;
  /** Until then nobody claims a batch: somebody compares or rebuilds the statistics. In Unix milliseconds. */
  heldUntil: number;
}

const NEW: Head = { epoch: 0, batch: [], total: 0, checksum: 0, tag: 0, claimedAt: 0, heldUntil: 0 };

/** @throws {ServiceError} 500 when another version of the service has written the tables */
export function toHead(item: Record<string, unknown> | undefined): Head {
  if (!item) return NEW;
  if (item.format !== FORMAT) throw fault(`The tables have format ${item.format}; this version knows ${FORMAT} alone`);
  return {
    epoch: Number(item.epoch),
    batch: item.batch ? unpackKeys(item.batch as Uint8Array) : [],
    total: Number(item.total),
    checksum: Number(item.checksum),
    tag: Number(item.tag),
    claimedAt: Number(item.claimedAt),
    heldUntil: Number(item.heldUntil ?? 0),
  };
}

/** @returns false when the condition does not hold, or when this update is repeated after its answer was lost */
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

/** Nobody folds, and nobody holds the fold. */
const IS_FREE = 'attribute_not_exists(#batch) AND (attribute_not_exists(heldUntil) OR heldUntil < :now)';

/** Makes entries the batch, unless another folder was quicker or the fold is held. */
export function claim(
  database: Database,
  head: Head,
  next: Pick<Head, 'batch' | 'total' | 'checksum' | 'tag'>,
): Promise<boolean> {
  return update(database, {
    UpdateExpression:
      'SET #format = :format, epoch = :next, #batch = :batch, #total = :total, checksum = :checksum, #tag = :tag, claimedAt = :now',
    ConditionExpression: `attribute_not_exists(pk) OR (epoch = :read AND ${IS_FREE})`,
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

/** Ends a batch whose entries are gone. Whoever comes later finds it ended. */
export const release = (database: Database, epoch: number): Promise<boolean> =>
  update(database, {
    UpdateExpression: 'REMOVE #batch',
    ConditionExpression: 'epoch = :epoch AND attribute_exists(#batch)',
    ExpressionAttributeNames: { '#batch': 'batch' },
    ExpressionAttributeValues: { ':epoch': epoch },
  });

/** For a transaction that must come between two folds: at rest, and with an epoch of its own. */
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

/** For a transaction that must not come after a fold: who holds the fold knows nothing of it. */
export const stillHeld = ({ tables, runtime }: Database): TransactionItem => ({
  ConditionCheck: {
    TableName: tables.directory,
    Key: { pk: JOURNAL, sk: HEAD_KEY },
    ConditionExpression: 'heldUntil > :now AND attribute_not_exists(#batch)',
    ExpressionAttributeNames: { '#batch': 'batch' },
    ExpressionAttributeValues: { ':now': runtime.now() },
  },
});
