import { useShared } from './shared.ts';
import type { Counted } from './suggest.ts';
import { useReading } from './useReading.ts';
import type { View } from './view.ts';

const NONE: ReadonlyMap<string, Counted> = new Map();

/** The values of some properties and how many users have each, among those whom the filters of other properties leave. */
export function useCounted(filters: View['filters'], properties: readonly string[]): ReadonlyMap<string, Counted> {
  const { connection } = useShared();
  const { value = NONE } = useReading(JSON.stringify([filters, properties]), async (signal) => {
    const answers = properties.map(async (by): Promise<[string, Counted]> => {
      const { [by]: _, ...others } = filters;
      const { counts } = await connection.counts({ ...others, by: [by] }, signal);
      // A value that users lack is absent. Two members at most: this one, and their number.
      const counted = counts.map(({ count, ...values }): [string | undefined, number] => {
        const [value] = Object.values(values);
        return [value === undefined ? undefined : String(value), count];
      });
      return [by, counted];
    });
    return new Map(await Promise.all(answers));
  });
  return value;
}
