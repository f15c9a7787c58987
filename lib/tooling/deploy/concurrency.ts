interface Functions {
  [name: string]: { reservedConcurrency?: number };
}

/**
 * Sets how many calls of a function run at once at most, which are then kept free for it.
 *
 * @returns what is wrong with it, in one sentence
 */
export function reserve(functions: Functions, reserved: Record<string, number>): string | undefined {
  for (const [name, calls] of Object.entries(reserved)) {
    const definition = functions[name];
    if (!definition) return `reservedConcurrency in serverless.yml names ${name}, which is no function.`;
    definition.reservedConcurrency = calls;
  }
  return undefined;
}
