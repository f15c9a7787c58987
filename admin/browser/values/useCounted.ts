import { read, type ValueCounts } from '../data/connection.ts';
import type { Filters } from '../data/filters.ts';
import { useReading } from '../parts/useReading.tsx';
import type { Counted } from './suggest.ts';

/** How many users have each value of a property, of those whom the filters leave. A value that users lack is absent. */
export async function countedBy(property: string, filters: Filters, signal: AbortSignal): Promise<Counted[]> {
  const { counts } = await read<ValueCounts>('/counts', { ...filters, by: property }, signal);
  // Two members at most: the value, and the number of its users.
  return counts.flatMap(({ count, ...values }) =>
    Object.values(values).map((value) => ({ property, value: String(value), count })),
  );
}

/** How many users the filters leave. */
export const totalOf = async (filters: Filters, signal: AbortSignal): Promise<number> =>
  (await read<ValueCounts>('/counts', { ...filters, by: 'status' }, signal)).total;

/** The values of some properties and how many users have each, among those whom the filters of other properties leave. */
export function useCounted(filters: Filters, properties: readonly string[]) {
  const readAll = async (signal: AbortSignal) => {
    const answers = properties.map(
      async (property) => [property, await countedBy(property, { ...filters, [property]: [] }, signal)] as const,
    );
    return new Map(await Promise.all(answers));
  };
  const key = JSON.stringify([filters, properties]);
  const { value = new Map<string, readonly Counted[]>(), failure } = useReading(
    key,
    properties.length > 0 ? readAll : undefined,
  );
  return { counts: value, hasFailed: failure !== undefined };
}
