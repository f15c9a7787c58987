import { compare, type Item } from './expressions.ts';

type Key = string | number;

/** A partition: its items in the order of their sort keys. An item is replaced, never changed. */
export class Partition {
  private readonly keys: Key[] = [];
  private readonly items = new Map<Key, Item>();

  private placeOf(key: Key): number {
    let [low, high] = [0, this.keys.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      if (compare(this.keys[middle], key) < 0) low = middle + 1;
      else high = middle;
    }
    return low;
  }

  get(key: Key): Item | undefined {
    return this.items.get(key);
  }

  put(key: Key, item: Item): void {
    if (!this.items.has(key)) this.keys.splice(this.placeOf(key), 0, key);
    this.items.set(key, item);
  }

  delete(key: Key): void {
    if (this.items.delete(key)) this.keys.splice(this.placeOf(key), 1);
  }

  /** The key after another one in a direction, or the first key. */
  after(key: Key | undefined, forward: boolean): Key | undefined {
    if (key === undefined) return this.keys[forward ? 0 : this.keys.length - 1];
    const place = this.placeOf(key);
    return forward ? this.keys[this.keys[place] === key ? place + 1 : place] : this.keys[place - 1];
  }

  /** The first key in a direction that is not before a bound, which need not be a key. */
  from(bound: Key | undefined, forward: boolean): Key | undefined {
    return bound !== undefined && this.items.has(bound) ? bound : this.after(bound, forward);
  }

  values(): Item[] {
    return this.keys.map((key) => this.items.get(key) ?? {});
  }
}

/** Partitions by key, made on demand. */
export class Rows {
  readonly partitionKey: string;
  readonly sortKey: string | undefined;
  private readonly partitions = new Map<Key, Partition>();

  constructor(partitionKey: string, sortKey: string | undefined) {
    this.partitionKey = partitionKey;
    this.sortKey = sortKey;
  }

  partition(key: Key): Partition {
    const found = this.partitions.get(key) ?? new Partition();
    this.partitions.set(key, found);
    return found;
  }

  private placeOf(item: Item): [Partition, Key] {
    const key = this.sortKey === undefined ? '' : (item[this.sortKey] as Key);
    return [this.partition(item[this.partitionKey] as Key), key];
  }

  get(key: Item): Item | undefined {
    const [partition, sort] = this.placeOf(key);
    return partition.get(sort);
  }

  put(item: Item): void {
    const [partition, sort] = this.placeOf(item);
    partition.put(sort, item);
  }

  delete(key: Item): void {
    const [partition, sort] = this.placeOf(key);
    partition.delete(sort);
  }

  values(): Item[] {
    return [...this.partitions.values()].flatMap((partition) => partition.values());
  }
}
