/** Filters as the API names them: `{ status: ['a', 'b'], age: { gte: 18 } }` is `status=a`, `status=b` and `age.gte=18`. */
export function filtersOf(value: unknown, name = ''): [string, string][] {
  if (value === null || value === undefined || value === '') return [];
  if (Array.isArray(value)) return value.flatMap((each) => filtersOf(each, name));
  if (value instanceof Date) return [[name, value.toISOString()]];
  if (typeof value !== 'object') return [[name, String(value)]];
  return Object.entries(value).flatMap(([key, each]) => filtersOf(each, name ? `${name}.${key}` : key));
}
