/** Operations that must not overtake each other, by their places in the batch. */
interface Chain {
  names: string[];
  places: number[];
}

/** How an operation names its user. A value that is no name names nobody. */
function namesOf(operation: unknown): string[] {
  const { id, externalId, user, patch } = Object(operation) as Record<string, unknown>;
  const given = [externalId, Object(user).externalId, Object(patch).externalId];
  const texts = given.filter((name) => typeof name === 'string').map((name) => `externalId ${name}`);
  return typeof id === 'number' ? [`id ${id}`, ...texts] : texts;
}

/**
 * Operations of the same user, which run in their order: of the same id or external id, as far as they say. Each is in one chain; chains may run in
 * any order.
 */
export function chainsOf(operations: readonly unknown[]): number[][] {
  let chains: Chain[] = [];
  for (const [place, operation] of operations.entries()) {
    const names = namesOf(operation);
    const isSame = (chain: Chain) => chain.names.some((name) => names.includes(name));
    const same = chains.filter(isSame);
    const joined = {
      names: [...names, ...same.flatMap((chain) => chain.names)],
      places: [...same.flatMap(({ places }) => places), place],
    };
    chains = [...chains.filter((chain) => !same.includes(chain)), joined];
  }
  return chains.map(({ places }) => places.toSorted((a, b) => a - b));
}
