import { UpdateCommand } from '@aws-sdk/lib-dynamodb';
import { isRefused } from '../../dynamodb/errors.ts';
import { fault } from '../../errors.ts';
import type { Database } from '../database.ts';
import { JOURNAL, packKeys, unpackKeys } from './entry.ts';

/** Sorts before all entries. */
export const HEAD_KEY = '#head';

/** How items of the journal and of the statistics are written. */
const FORMAT = 1;

/** The first item of the journal: what the folds have made of all writes that are not in it any more. */
export interface Head {
  /** Rises with each batch of entries that is folded. */
  epoch: number;
  /** The keys of the entries that are being folded; none at rest. */
  batch: readonly string[];
  /** How many users there are, with the batch. */
  total: number;
  /** The sum, modulo 2^48, of the hashes of all entries ever folded, with the batch. */
  tag: number;
  /** When the batch was claimed, in Unix milliseconds: tells others whether it is worth their while to help. */
  claimedAt: number;
  /** Until then nobody claims a batch: somebody compares or rebuilds the statistics. In Unix milliseconds. */
  heldUntil: number;
}

const NEW: Head = { epoch: 0, batch: [], total: 0, tag: 0, claimedAt: 0, heldUntil: 0 };

/** @throws {ServiceError} 500 when another version of the service has written the tables */
export function toHead(item: Record<string, unknown> | undefined): Head {
  if (!item) return NEW;
  if (item.format !== FORMAT) throw fault(`The tables have format ${item.format}; this version knows ${FORMAT} alone`);
  return {
    epoch: Number(item.epoch),
    batch: item.batch ? unpackKeys(item.batch as Uint8Array) : [],
    total: Number(item.total),
    tag: Number(item.tag),
    claimedAt: Number(item.claimedAt),
    heldUntil: Number(item.heldUntil ?? 0),
  };
}

interface Update {
  set: Record<string, unknown>;
  remove?: readonly string[];
  condition: string;
  values: Record<string, unknown>;
}

/** @returns false when the condition does not hold, or when this update is repeated after its answer was lost */
async function update({ dynamo, tables }: Database, { set, remove = [], condition, values }: Update): Promise<boolean> {
  const names = Object.keys(set);
  const sets = `SET ${names.map((name) => `#${name} = :${name}`).join(', ')}`;
  const removes = remove.length > 0 ? ` REMOVE ${remove.join(', ')}` : '';
  const input = {
    TableName: tables.directory,
    Key: { pk: JOURNAL, sk: HEAD_KEY },
    UpdateExpression: sets + removes,
    ConditionExpression: condition,
    ExpressionAttributeNames: Object.fromEntries(names.map((name) => [`#${name}`, name])),
    ExpressionAttributeValues: {
      ...Object.fromEntries(Object.entries(set).map(([name, value]) => [`:${name}`, value])),
      ...values,
    },
  };
  try {
    await dynamo.send(new UpdateCommand(input));
    return true;
  } catch (error) {
    if (isRefused(error)) return false;
    throw error;
  }
}

/** Makes entries the batch, unless another folder was quicker or the fold is held. */
export function claim(database: Database, head: Head, next: Pick<Head, 'batch' | 'total' | 'tag'>): Promise<boolean> {
  const now = database.runtime.now();
  return update(database, {
    set: {
      format: FORMAT,
      epoch: head.epoch + 1,
      batch: packKeys(next.batch),
      total: next.total,
      tag: next.tag,
      claimedAt: now,
    },
    condition:
      'attribute_not_exists(pk) OR (epoch = :read AND attribute_not_exists(batch) AND (attribute_not_exists(heldUntil) OR heldUntil < :now))',
    values: { ':read': head.epoch, ':now': now },
  });
}

/** Ends a batch whose entries are gone. Whoever comes later finds it ended. */
export function release(database: Database, epoch: number): Promise<boolean> {
  return update(database, {
    set: { releasedAt: database.runtime.now() },
    remove: ['batch'],
    condition: 'epoch = :epoch AND attribute_exists(batch)',
    values: { ':epoch': epoch },
  });
}
