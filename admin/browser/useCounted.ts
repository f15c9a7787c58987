import { read, type ValueCounts } from './connection.ts';
import type { Filters } from './filters.ts';
import type { Counted } from './suggest.ts';
import { useReading } from './useReading.tsx';

/** The values of some properties and how many users have each, among those whom the filters of other properties leave. */
export function useCounted(filters: Filters, properties: readonly string[]): ReadonlyMap<string, readonly Counted[]> {
  const readAll = async (signal: AbortSignal) => {
    const answers = properties.map(async (property) => {
      const query = { ...filters, [property]: [], by: property };
      const { counts } = await read<ValueCounts>('/counts', query, signal);
      // A value that users lack is absent. Two members at most: this one, and their number.
      const counted = counts.flatMap(({ count, ...values }) =>
        Object.values(values).map((value) => ({ property, value: String(value), count })),
      );
      return [property, counted] as const;
    });
    return new Map(await Promise.all(answers));
  };
  const key = JSON.stringify([filters, properties]);
  const { value = new Map() } = useReading(key, properties.length > 0 ? readAll : undefined);
  return value;
}
