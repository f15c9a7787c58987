import { inParallel } from '../../parallel.ts';
import { type Group, type Groups, PARALLEL_READS, type UserQuery } from './plans.ts';
import { drop, merged, type Open, takeFrom, type Users } from './streams.ts';
import type { View } from './view.ts';

/** The users of a group, in the rest of the order. */
function ofGroup(open: Open, view: View, query: UserQuery, { variants, total }: Group): Users {
  const [criteria, ...others] = variants;
  if (criteria && others.length === 0) return open(view, { ...query, criteria, total });
  const { skip, take } = query;
  const each = variants.map((variant) =>
    open(view, { ...query, criteria: variant, skip: 0, take: skip + take, total: undefined }),
  );
  return drop(merged(each, query.order), skip);
}

/** The counts tell which groups the page is in. These are read in parallel. */
async function* countedGroups(open: Open, view: View, query: UserQuery, { groups, rest }: Groups): Users {
  const parts: { group: Group; skip: number; take: number }[] = [];
  let position = 0;
  const end = query.skip + query.take;
  for (const group of groups) {
    const total = group.total ?? 0;
    const [first, last] = [Math.max(query.skip - position, 0), Math.min(end - position, total)];
    if (first < last) parts.push({ group, skip: first, take: last - first });
    position += total;
    if (position >= end) break;
  }
  const pages = await inParallel(parts, PARALLEL_READS, ({ group, ...window }) =>
    takeFrom(ofGroup(open, view, { ...query, ...window, order: rest }, group), window.take),
  );
  yield* pages.flat();
}

/** The users of one group after another. */
export async function* inGroups(open: Open, view: View, query: UserQuery, plan: Groups): Users {
  const isCounted = plan.groups.every(({ total }) => total !== undefined);
  if (isCounted && Number.isFinite(query.take)) {
    yield* countedGroups(open, view, query, plan);
    return;
  }
  const { skip, take } = query;
  let passed = 0;
  for (const group of plan.groups) {
    const part = { ...query, order: plan.rest, skip: 0, take: skip + take - passed };
    for await (const user of ofGroup(open, view, part, group)) if (++passed > skip) yield user;
    if (passed >= skip + take) return;
  }
}
