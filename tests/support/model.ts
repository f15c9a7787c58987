/**
 * The listings of the contract, written as plainly as possible: all in memory, with no code of the service. Tests compare the
 * service with this model.
 */
export interface ModelUser {
  id: number;
  name: string;
  createdAt: string;
  email?: string;
  age?: number;
  firstName?: string;
  lastName?: string;
  status?: string;
  country?: string;
}

export interface ModelQuery {
  status?: string;
  country?: string;
  email?: string;
  keyword?: string;
  sort: { property: keyof ModelUser; direction: 'asc' | 'desc' }[];
  page: number;
  size: number;
}

const folded = (value: string) => value.normalize('NFC').toLowerCase().normalize('NFC').replace(/ς/g, 'σ');

function compareStrings(a: string, b: string): number {
  const [left, right] = [Array.from(a, (c) => c.codePointAt(0) ?? 0), Array.from(b, (c) => c.codePointAt(0) ?? 0)];
  for (const [i, codePoint] of left.entries()) {
    const other = right[i];
    if (other === undefined) return 1;
    if (codePoint !== other) return codePoint - other;
  }
  return left.length - right.length;
}

function compareValues(a: string | number | undefined, b: string | number | undefined): number {
  if (a === undefined || b === undefined) return Number(a === undefined) - Number(b === undefined);
  if (typeof a === 'number' && typeof b === 'number') return a - b;
  return compareStrings(folded(String(a)), folded(String(b)));
}

export function modelSort(users: readonly ModelUser[], sort: ModelQuery['sort']): ModelUser[] {
  // The first mention of a property wins, and equal users are in the direction of the last one.
  const distinct = sort.filter(({ property }, i) => sort.findIndex((key) => key.property === property) === i);
  const isDescending = distinct.at(-1)?.direction === 'desc';
  return [...users].sort((a, b) => {
    for (const { property, direction } of sort) {
      const difference = compareValues(a[property], b[property]);
      if (difference !== 0) return direction === 'asc' ? difference : -difference;
    }
    return isDescending ? b.id - a.id : a.id - b.id;
  });
}

export function modelFilter(
  users: readonly ModelUser[],
  { status, country, email, keyword }: Partial<ModelQuery>,
): ModelUser[] {
  return users.filter(
    (user) =>
      (!status || user.status === status) &&
      (!country || user.country === country) &&
      (!email || (user.email !== undefined && folded(user.email) === folded(email))) &&
      (!keyword || (user.lastName !== undefined && folded(user.lastName).includes(folded(keyword)))),
  );
}

export function modelPage(users: readonly ModelUser[], query: ModelQuery) {
  const matching = modelSort(modelFilter(users, query), query.sort);
  const totalPages = Math.ceil(matching.length / query.size);
  return {
    content: matching.slice(query.page * query.size, (query.page + 1) * query.size),
    totalElements: matching.length,
    totalPages,
    number: query.page,
    size: query.size,
    first: query.page === 0,
    last: query.page >= totalPages - 1,
  };
}
