/** Writes nodes that were read. */
import type { TransactWriteCommandInput } from '@aws-sdk/lib-dynamodb';
import { executeStatements, insertOf, type Statement } from '../../dynamodb/statements.ts';
import { transact } from '../../dynamodb/transact.ts';
import { chunksOf, inParallel } from '../../parallel.ts';
import { pack, unpack } from './pack.ts';
import { cut, type Row } from './rows.ts';
import type { Node, Tree } from './tree.ts';

/** A node to write, and its state that was read; undefined for a node that must be missing. */
export interface NodeWrite {
  node: Node;
  read: Node | undefined;
}

/** The nodes that take the place of one are written in one transaction, which has at most 100 items. */
export const MAX_PARTS = 64;

export const isSmall =
  ({ nodeBytes }: Tree) =>
  (rows: readonly Row[]): boolean =>
    pack(rows).length <= nodeBytes;

/** What rows make of a node: itself, or several nodes of its epoch when they have grown. */
export function writesOf(
  tree: Tree,
  place: Pick<Node, 'pk' | 'sk' | 'end' | 'epoch'>,
  rows: readonly Row[],
  read: Node | undefined,
): NodeWrite[] {
  const revision = (read?.revision ?? 0) + 1;
  const data = pack(rows);
  const all = data.length <= tree.nodeBytes ? [] : cut(place.sk, rows, isSmall(tree));
  if (all.length < 2) return [{ node: { ...place, revision, data }, read }];
  const parts = chunksOf(all, Math.ceil(all.length / MAX_PARTS));
  return parts.map((some, i) => ({
    node: {
      ...place,
      sk: some[0]?.from ?? place.sk,
      end: parts[i + 1]?.[0]?.from ?? place.end,
      revision: i === 0 ? revision : 1,
      data: pack(some.flatMap((part) => part.rows)),
    },
    read: i === 0 ? read : undefined,
  }));
}

/** A write of a node by itself: its bounds stay. */
export function statementOf(table: string, { node, read }: NodeWrite): Statement {
  const { pk, sk, end, epoch, revision, data } = node;
  if (read)
    return {
      Statement: `UPDATE "${table}" SET "epoch" = ?, "revision" = ?, "data" = ? WHERE "pk" = ? AND "sk" = ? AND "revision" = ?`,
      Parameters: [epoch, revision, data, pk, sk, read.revision],
    };
  return insertOf(table, { pk, sk, epoch, revision, data, end });
}

type Put = NonNullable<NonNullable<TransactWriteCommandInput['TransactItems']>[number]['Put']>;

function putOf(TableName: string, { node: Item, read }: NodeWrite): Put {
  const condition = read
    ? { ConditionExpression: 'revision = :read', ExpressionAttributeValues: { ':read': read.revision } }
    : { ConditionExpression: 'attribute_not_exists(pk)' };
  return { TableName, Item, ...condition };
}

const PARALLEL_SPLITS = 4;

/**
 * Writes what takes the place of some nodes, each if it is still the one that was read, or is still missing. A node that is
 * split is written with all of its parts, or not at all.
 *
 * @returns those that were written. Others not, because another writer was faster, or because a write is repeated whose response was lost
 */
export async function write<Parts extends readonly NodeWrite[]>(tree: Tree, writes: readonly Parts[]) {
  const single = writes.filter(({ length }) => length === 1);
  const several = writes.filter(({ length }) => length > 1);
  const statements = single.flatMap((parts) => parts.map((each) => statementOf(tree.table, each)));
  const [written, split] = await Promise.all([
    executeStatements(tree, statements),
    inParallel(several, PARALLEL_SPLITS, (parts) =>
      transact(
        tree,
        parts.map((each) => ({ Put: putOf(tree.table, each) })),
      ),
    ),
  ]);
  return new Set([...single.filter((_, i) => written[i]), ...several.filter((_, i) => split[i])]);
}

/** Splits a node that has grown, at any time: readers get the same rows from its parts, which have its epoch. */
export async function splitNode(tree: Tree, node: Node): Promise<void> {
  const { pk, sk, end, epoch } = node;
  const parts = writesOf(tree, { pk, sk, end, epoch }, unpack(node.data), node);
  if (parts.length > 1) await write(tree, [parts]);
}

/**
 * Replaces the rows of a node, unless another writer has changed it. It is split after that: whoever reads its old state and a
 * new part of it must not find a row in the one and what became of it in the other.
 *
 * @returns whether they were written
 */
export async function replaceRows(tree: Tree, read: Node, rows: readonly Row[]): Promise<boolean> {
  const node = { ...read, revision: read.revision + 1, data: pack(rows) };
  const { size } = await write(tree, [[{ node, read }]]);
  if (size > 0) await splitNode(tree, node);
  return size > 0;
}
