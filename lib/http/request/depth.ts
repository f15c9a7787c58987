/** How many objects and arrays may stand within each other in a body, and in a document that a patch makes. */
export const MAX_DEPTH = 100;

const isContainer = (value: unknown): value is object => typeof value === 'object' && value !== null;

/** Level by level instead of by recursion, which would end where the stack does. */
export function isDeeperThan(levels: number, value: unknown): boolean {
  let containers = [value].filter(isContainer);
  for (let level = 0; containers.length > 0; level++) {
    if (level >= levels) return true;
    containers = containers.flatMap((container): unknown[] => Object.values(container)).filter(isContainer);
  }
  return false;
}
