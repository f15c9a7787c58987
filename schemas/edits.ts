import type { FromSchema, JSONSchema } from 'json-schema-to-ts';
import { answer } from './answer.ts';
import { editName, userFields } from './changes.ts';
import { mergePatch, userMergePatch } from './patches.ts';
import { attributesInput, user } from './user.ts';

/** The most users in an answer who were not changed, each with its reason. */
export const MAX_FAILURES = 1_000;

/** The most users in a preview. */
export const MAX_EXAMPLES = 5;

const number = { type: 'integer', format: 'int64', minimum: 0 } as const;

const { externalId: _, ...patched } = userMergePatch.properties;

/** A merge patch for several users: an `externalId` is one user's alone. A member that no user has would change nobody, without a word. */
export const editPatch = {
  ...{ ...mergePatch, type: ['object', 'null'], additionalProperties: false, minProperties: 1, properties: patched },
} as const satisfies JSONSchema;

const { maxItems, uniqueItems, items } = attributesInput.additionalProperties;

/** Texts of lists, by the names of attributes. */
export const attributeLists = {
  type: 'object',
  minProperties: 1,
  propertyNames: attributesInput.propertyNames,
  additionalProperties: { type: 'array', minItems: 1, maxItems, uniqueItems, items },
} as const satisfies JSONSchema;

export const editLists = {
  type: ['object', 'null'],
  required: ['attributes'],
  additionalProperties: false,
  properties: { attributes: attributeLists },
  description: 'Texts that arrays get at their end (`add`), or lose (`remove`).',
} as const satisfies JSONSchema;

const flag = { type: ['boolean', 'null'] } as const;

/** The change of all users who match: `delete`, or any of the others. `null` means that it has none. */
export const editInput = {
  type: 'object',
  additionalProperties: false,
  properties: {
    patch: editPatch,
    remove: editLists,
    add: editLists,
    delete: { ...flag, description: 'They are deleted.' },
    dryRun: { ...flag, description: 'Only returns a preview, and the cost.' },
    atMost: {
      ...number,
      type: ['integer', 'null'],
      minimum: 1,
      description: 'The most users that may match, and be changed in all calls of the edit. Required without `dryRun`.',
    },
    edit: { ...editName, type: ['string', 'null'], description: 'The edit to continue. Absent in its first call.' },
    everybody: { ...flag, description: 'Required without a filter.' },
  },
} as const satisfies JSONSchema;

/** An undo: without members the whole edit is undone. `null` means that it has none. */
export const undoInput = {
  type: 'object',
  additionalProperties: false,
  properties: {
    dryRun: editInput.properties.dryRun,
    atMost: {
      ...editInput.properties.atMost,
      description: 'The most users who may be left to give back. Otherwise the undo is refused.',
    },
  },
} as const satisfies JSONSchema;

/** Only the members of the patch are checked, by their names: the patched users are validated. A patch of nothing is one that was meant otherwise. */
const checkedPatch = {
  ...{ type: editPatch.type, additionalProperties: false, minProperties: 1 },
  properties: {
    ...Object.fromEntries(Object.keys(userMergePatch.properties).map((name) => [name, {}])),
    attributes: { type: ['object', 'null'], minProperties: 1 },
  },
} as const satisfies JSONSchema;

export const editRequest = {
  ...editInput,
  properties: { ...editInput.properties, patch: checkedPatch },
} as const satisfies JSONSchema;

/** A user whom the edit, or its undo, would change: the fields that it would change. */
export const editExample = answer(['id', 'name', 'before', 'after'], {
  id: user.properties.id,
  name: user.properties.name,
  before: userFields,
  after: userFields,
});

export const editUnits = {
  ...answer(['read', 'write'], { read: number, write: number }),
  description:
    'The request units of DynamoDB, with all that is done for the changes later: by the bytes of each user, and as measured for a write. Users who stay as they are cost reads alone.',
} as const;

/** A user who matches and was not changed: the error that a request for this user alone would get. */
export const editFailure = answer(['id', 'status', 'message', 'code'], {
  id: user.properties.id,
  status: { type: 'integer', format: 'int32', minimum: 400, maximum: 599 },
  message: { type: 'string', examples: ['There is a user with this email'] },
  code: { type: 'string', pattern: '^[a-z-]+$', examples: ['email-taken'] },
});

/** The result of all calls of an edit, or of an undo, so far. */
const editResult = answer(['edit', 'changed', 'unchanged', 'failed', 'left'], {
  edit: editName,
  changed: { ...number, description: 'How many users were changed.' },
  unchanged: { ...number, description: 'The number of users who had these values before.' },
  failed: { type: 'array', items: editFailure, maxItems: MAX_FAILURES },
  left: { ...number, description: 'The number of users left for the next call. With 0 the edit is done.' },
});

/** An edit, or an undo, so far: with when and by whom it was begun. */
export const editState = answer(['edit', 'at', 'changed', 'unchanged', 'failed', 'left'], {
  ...editResult.properties,
  at: { type: 'string', format: 'date-time', description: 'The moment at which it was begun.' },
  by: {
    type: 'string',
    description: 'The subject of the token with which it was begun. Absent where no token was needed.',
  },
});

/** The preview of an edit or its result, in one schema: clients that are generated of a `oneOf` do not compile everywhere. */
export const editAnswer = {
  type: 'object',
  additionalProperties: false,
  description: 'With `dryRun` it has `total`, `examples`, `units` and `dollars`, without it the others.',
  properties: {
    total: { ...number, description: 'How many users match, or are left for an undo to give back.' },
    notDates: {
      ...number,
      description:
        'How many other users meet all filters but bounds that only dates meet, and have a value there that is no date. Absent without such a bound.',
    },
    examples: { type: 'array', items: editExample, maxItems: MAX_EXAMPLES },
    units: editUnits,
    dollars: {
      type: 'number',
      minimum: 0,
      description:
        'The price of these units in eu-central-1, as AWS listed them in August 2026, without requests and time.',
    },
    ...editResult.properties,
  },
} as const satisfies JSONSchema;

type EditAnswer = Required<FromSchema<typeof editAnswer>>;
export type EditRequest = FromSchema<typeof editRequest>;
export type UndoRequest = FromSchema<typeof undoInput>;
export type EditPreview = Pick<EditAnswer, 'total' | 'examples' | 'units' | 'dollars'> &
  Partial<Pick<EditAnswer, 'notDates'>>;
export type EditResult = FromSchema<typeof editResult>;
export type EditState = FromSchema<typeof editState>;
