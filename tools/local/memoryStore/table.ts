import type { CreateTableCommandInput, KeySchemaElement } from '@aws-sdk/client-dynamodb';
import type { Item } from './expressions.ts';
import { hasKey, isSameKey, Rows } from './rows.ts';

/** A view that may lag behind a table: an index, or the table as weak reads see it. */
export interface View {
  readonly rows: Rows;
  /** Takes over a change of an item. */
  follow(before: Item | undefined, after: Item | undefined): void;
  /** Applies what is due by now. */
  arrive(): void;
}

/** Makes a view of a table; of the table itself if there is no index. Undefined for one that never lags. */
export type ViewOf = (rows: Rows, names: { table: string; index?: string }) => View | undefined;

const presentView = (rows: Rows): View => ({
  rows,
  follow(before, after) {
    if (before && hasKey(rows, before) && !(after && isSameKey(rows, before, after))) rows.delete(before);
    if (after && hasKey(rows, after)) rows.put(after);
  },
  arrive() {},
});

function rowsOf(schema: KeySchemaElement[] = []): Rows {
  const nameOf = (type: string) => schema.find(({ KeyType }) => KeyType === type)?.AttributeName;
  return new Rows(nameOf('HASH') ?? '', nameOf('RANGE'));
}

/** A table and its indexes. */
export class Table {
  readonly name: string;
  readonly definition: CreateTableCommandInput;
  readonly rows: Rows;
  private readonly indexes = new Map<string, View>();
  readonly indexRows: readonly Rows[];
  /** The table as weak reads see it, if that lags. */
  private readonly weak: View | undefined;
  private readonly views: readonly View[];

  constructor(definition: CreateTableCommandInput, viewOf: ViewOf) {
    const { TableName: table = '', KeySchema, GlobalSecondaryIndexes = [] } = definition;
    this.name = table;
    this.definition = definition;
    this.rows = rowsOf(KeySchema);
    for (const { IndexName: index = '', KeySchema } of GlobalSecondaryIndexes) {
      const rows = rowsOf(KeySchema);
      this.indexes.set(index, viewOf(rows, { table, index }) ?? presentView(rows));
    }
    this.weak = viewOf(rowsOf(KeySchema), { table });
    const indexes = [...this.indexes.values()];
    this.indexRows = indexes.map(({ rows }) => rows);
    this.views = this.weak ? [...indexes, this.weak] : indexes;
  }

  /** Puts an item in the place of another one, or of none. */
  replace(before: Item | undefined, after: Item | undefined): void {
    if (after) this.rows.put(after);
    else if (before) this.rows.delete(before);
    for (const view of this.views) view.follow(before, after);
  }

  /** The rows of the table, or of an index, that have arrived for a weak or a strong read. Undefined if there is no such index. */
  read(index: string | undefined, isStrong: boolean): Rows | undefined {
    for (const view of this.views) view.arrive();
    if (index !== undefined) return this.indexes.get(index)?.rows;
    return isStrong ? this.rows : (this.weak?.rows ?? this.rows);
  }
}
