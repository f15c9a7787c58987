import type { JSONSchema } from 'json-schema-to-ts';

/** The schema of an answer: these members and no others. Those that are not required may be absent. */
export const answer = <
  const Properties extends Readonly<Record<string, JSONSchema>>,
  const Required extends readonly (keyof Properties)[],
>(
  required: Required,
  properties: Properties,
) => ({ type: 'object', required, additionalProperties: false, properties }) as const;
