/** A column of a base that version 2.2 or an earlier one has made: some texts folded otherwise, so they are not in their order. */
import { isAscii } from 'node:buffer';
import { Base } from './base.ts';
import type { Column } from './column.ts';
import type { Kind, Row } from './definition.ts';
import { merged, type Replica, replicaOf, withChanges } from './replica.ts';
import { Texts } from './texts.ts';

/** An i that kept its dot. */
const DOTTED = /\u0307|İ\p{M}/u;

/** What all texts have that folded otherwise, and some that did not. Letters of addresses became several, or others of ASCII. */
const OTHERS: Readonly<Record<Kind, RegExp | undefined>> = {
  text: DOTTED,
  exact: DOTTED,
  address: /[\u0307\u0345\u037e\u1f80-\u1fff\u212aßİıŉſևẚẞﬀ-ﬗ]/u,
  number: undefined,
};

const FIELD = 'text';

/** The same column, in order. Who has such a text leaves it, for which texts need no order, and gets it again. */
export function inOrder(column: Column): Column {
  const { kind, values, places } = column;
  const others = OTHERS[kind];
  if (!others || !(values instanceof Texts) || isAscii(values.bytes)) return column;
  const all = values.bytes.toString();
  if (!others.test(all)) return column;
  const texts = all.split('\0');
  const isOther = texts.map((text) => others.test(text));
  const rows: [id: number, text: string | undefined][] = [];
  for (const [row, place] of places.entries()) if (isOther[place]) rows.push([row, texts[place]]);
  const changedTo = (replica: Replica, change: (text: string | undefined) => Partial<Row>) =>
    merged(
      withChanges(
        replica,
        rows.map(([id, text]) => [id, { id, ...change(text) }]),
      ),
    );
  const ids = () => Float64Array.from(places.keys());
  const base = new Base({ [FIELD]: kind }, places.length, [FIELD], { ids, column: () => column });
  const left = changedTo(replicaOf(base), () => ({}));
  return changedTo(left, (text) => ({ [FIELD]: text })).base.column(FIELD);
}
