/** Makes the nodes of a generation that nobody reads yet. */
import { executeStatements } from '../../dynamodb/statements.ts';
import { pack } from './pack.ts';
import { cut, isBound, type Row } from './rows.ts';
import { FIRST_BOUND, type Node, partitionOf, type Tree, type TreeMap } from './tree.ts';
import { isSmall, statementOf } from './write.ts';

const PARALLEL_WRITES = 8;

/** The nodes of a new map. */
export function newNodes(tree: Tree, { name }: TreeMap, epoch: number, rows: readonly Row[]): Node[] {
  const parts = cutAll(tree, rows);
  return parts.map(({ from, rows: own }, i) => ({
    pk: partitionOf(tree.generation, name),
    sk: from,
    end: parts[i + 1]?.from,
    epoch,
    revision: 1,
    data: pack(own),
  }));
}

/**
 * Writes nodes of a generation that nobody reads yet, except nodes that are there. An attempt may arrive late, when the
 * generation is the present one and a fold has written the node: then it is refused.
 */
export async function insertNodes(tree: Tree, nodes: readonly Node[]): Promise<void> {
  const statements = nodes.map((node) => statementOf(tree.table, { node, read: undefined }));
  await executeStatements(tree, statements, { atOnce: PARALLEL_WRITES, isPatient: true });
}

/** About as many rows as a few nodes have: halving all rows of a large map would pack each of them many times. */
const ROWS_AT_ONCE = 256;

function cutAll(tree: Tree, rows: readonly Row[]) {
  const starts: number[] = [];
  for (const [i, { key }] of rows.entries())
    if (i === 0 || (i >= (starts.at(-1) ?? 0) + ROWS_AT_ONCE && isBound(key))) starts.push(i);
  return starts.flatMap((start, i) => {
    const some = rows.slice(start, starts[i + 1]);
    return cut(start === 0 ? FIRST_BOUND : (some[0]?.key ?? ''), some, isSmall(tree));
  });
}
