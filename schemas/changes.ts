import type { FromSchema, JSONSchema } from 'json-schema-to-ts';
import { answer } from './answer.ts';
import { user, userInput } from './user.ts';

const { id } = user.properties;
const version = {
  type: 'integer',
  format: 'int64',
  minimum: 1,
  description: 'The number in the ETag of the user.',
} as const;

/** The name of an edit. That of an undo is the name of what it undoes, with an ending. */
export const editName = {
  type: 'string',
  maxLength: 100,
  pattern: '^[0-9a-f]{16}(-undo)*$',
  examples: ['4f1d0c7a92be3865'],
} as const satisfies JSONSchema;

const properties = {
  id,
  version,
  type: { type: 'string', enum: ['created', 'updated', 'deleted'] },
  at: { type: 'string', format: 'date-time', description: 'The moment of the write.' },
  by: { type: 'string', description: "The subject of the writer's token. Absent where no token was needed." },
  byName: {
    type: 'string',
    description:
      'The name of the writer, from the claim that the stage names. Absent where the stage names none, and where the token has none.',
  },
  edit: { ...editName, description: 'The edit that it is a part of. Absent if it is of none.' },
  user,
} as const;

/** A change of a user. `user` is the user after it, or as it was before a deletion. Without `by`, `edit` and `user` if it was erased. */
export const change = answer(['id', 'version', 'type', 'at'], properties);

/** The values of fields. One without a value is absent. */
export const userFields = {
  type: 'object',
  additionalProperties: false,
  properties: Object.fromEntries(
    Object.keys(userInput.properties).map((name) => [name, user.properties[name as keyof typeof user.properties]]),
  ) as Omit<typeof user.properties, 'id' | 'createdAt' | 'updatedAt'>,
} as const satisfies JSONSchema;

/** A change of one user, with the fields that it changed, before and after it. */
export const userChange = answer(['id', 'version', 'type', 'at', 'before', 'after'], {
  ...properties,
  before: userFields,
  after: userFields,
});

/** Changes of all users. `next` is the `after`, or the `before`, of the next request: absent when there is nothing further back. */
export const feed = answer(['changes'], {
  changes: { type: 'array', items: change, maxItems: 1000 },
  next: { type: 'string', minLength: 1 },
});

export type Change = FromSchema<typeof change>;
export type UserChange = FromSchema<typeof userChange>;
export type Feed = FromSchema<typeof feed>;
