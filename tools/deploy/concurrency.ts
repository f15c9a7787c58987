/**
 * Reserves concurrency: the maximum number of calls of a function that run at once, which is also kept free for it.
 *
 * @returns what is wrong with the setting, in one sentence
 */
export function reserve(
  functions: Record<string, { reservedConcurrency?: number }>,
  reserved: Record<string, number>,
): string | undefined {
  for (const [name, calls] of Object.entries(reserved)) {
    const definition = functions[name];
    if (!definition) return `reservedConcurrency in serverless.yml names ${name}, which is no function.`;
    definition.reservedConcurrency = calls;
  }
  return undefined;
}
