import { compare, type Item } from './expressions.ts';

export type Key = string | number;

/** Values in the order of their keys. A value is found and put in its place by a binary search, however many there are. */
class Ordered<Value> {
  private readonly keys: Key[] = [];
  private readonly byKey = new Map<Key, Value>();

  private placeOf(key: Key): number {
    let [low, high] = [0, this.keys.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      if (compare(this.keys[middle], key) < 0) low = middle + 1;
      else high = middle;
    }
    return low;
  }

  get(key: Key): Value | undefined {
    return this.byKey.get(key);
  }

  put(key: Key, value: Value): void {
    if (!this.byKey.has(key)) this.keys.splice(this.placeOf(key), 0, key);
    this.byKey.set(key, value);
  }

  delete(key: Key): void {
    if (this.byKey.delete(key)) this.keys.splice(this.placeOf(key), 1);
  }

  /** The key after another one in a direction, or the first key. */
  after(key: Key | undefined, forward: boolean): Key | undefined {
    if (key === undefined) return this.keys[forward ? 0 : this.keys.length - 1];
    const place = this.placeOf(key);
    return forward ? this.keys[this.keys[place] === key ? place + 1 : place] : this.keys[place - 1];
  }

  /** The first key in a direction that is not before a bound, which need not be a key. */
  from(bound: Key | undefined, forward: boolean): Key | undefined {
    return bound !== undefined && this.byKey.has(bound) ? bound : this.after(bound, forward);
  }

  get size(): number {
    return this.keys.length;
  }
}

/** The items of a partition by their sort keys. An item is replaced, never changed. */
export type Partition = Ordered<Item>;

/** The items of a table or an index. Without a sort key they are one partition here, in the order of their partition keys. */
export class Rows {
  readonly partitionKey: string;
  readonly sortKey: string | undefined;
  private readonly partitions = new Ordered<Partition>();

  constructor(partitionKey: string, sortKey: string | undefined) {
    this.partitionKey = partitionKey;
    this.sortKey = sortKey;
  }

  private placeOf(item: Item): [partition: Key, sort: Key] {
    const { partitionKey, sortKey } = this;
    return (sortKey === undefined ? ['', item[partitionKey]] : [item[partitionKey], item[sortKey]]) as [Key, Key];
  }

  partition(key: Key): Partition {
    return this.partitions.get(key) ?? new Ordered();
  }

  get(key: Item): Item | undefined {
    const [partition, sort] = this.placeOf(key);
    return this.partition(partition).get(sort);
  }

  put(item: Item): void {
    const [key, sort] = this.placeOf(item);
    const partition = this.partition(key);
    partition.put(sort, item);
    this.partitions.put(key, partition);
  }

  delete(key: Item): void {
    const [place, sort] = this.placeOf(key);
    const partition = this.partition(place);
    partition.delete(sort);
    if (partition.size === 0) this.partitions.delete(place);
  }

  /** The item after a key, which need not be one, in the order of a scan; or the first item. */
  next(key?: Item): Item | undefined {
    let [place, sort]: (Key | undefined)[] = key ? this.placeOf(key) : [this.partitions.after(undefined, true)];
    while (place !== undefined) {
      const partition = this.partition(place);
      sort = partition.after(sort, true);
      if (sort !== undefined) return partition.get(sort);
      place = this.partitions.after(place, true);
    }
    return undefined;
  }

  values(): Item[] {
    const items: Item[] = [];
    for (let item = this.next(); item; item = this.next(item)) items.push(item);
    return items;
  }
}

const KEYS = ['partitionKey', 'sortKey'] as const;

/** Whether an item has all attributes of a key. An index lacks others. */
export const hasKey = (rows: Rows, item: Item): boolean =>
  KEYS.every((key) => rows[key] === undefined || item[rows[key]] !== undefined);

export const isSameKey = (rows: Rows, a: Item, b: Item): boolean =>
  KEYS.every((key) => a[rows[key] ?? ''] === b[rows[key] ?? '']);
