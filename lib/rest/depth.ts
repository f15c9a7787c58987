/** How deep objects and arrays may be nested in a body, and in a document that a patch produces. */
export const MAX_DEPTH = 100;

/** Whether a value is a JSON object. */
export const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const isContainer = (value: unknown): value is object => typeof value === 'object' && value !== null;

/** Goes level by level: recursion would overflow the stack. */
export function isDeeperThan(levels: number, value: unknown): boolean {
  let containers = [value].filter(isContainer);
  for (let level = 0; containers.length > 0; level++) {
    if (level >= levels) return true;
    containers = containers.flatMap((container): unknown[] => Object.values(container)).filter(isContainer);
  }
  return false;
}
