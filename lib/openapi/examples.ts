import { user, userInput } from '../../schemas/user.ts';
import { PROBLEMS } from '../http/problems.ts';
import { MEDIA, typeOf } from '../rest/index.ts';
import type { SchemaName } from './schemas.ts';

const examplesOf = (properties: Readonly<Record<string, { examples: readonly unknown[] }>>) =>
  Object.fromEntries(Object.entries(properties).map(([name, { examples }]) => [name, examples[0]]));

const USER = examplesOf(user.properties);

/** Without an external id, so that a client that sends it twice gets no 409. */
const { externalId: _, ...INPUT } = examplesOf(userInput.properties);

/** Sent as it is, it changes nothing. */
const EDIT = { patch: { status: 'inactive' }, dryRun: true, everybody: true };

const EDITED = {
  total: 2_649,
  examples: [{ id: USER.id, name: USER.name, before: { status: 'active' }, after: { status: 'inactive' } }],
  units: { read: 3_445, write: 29_192 },
  dollars: 0.0228,
};

/** Nobody has the id. */
const BATCH = [
  { op: 'create', user: INPUT },
  { op: 'patch', id: 1, patch: { age: 31 } },
];

const RESULTS = [
  { status: 201, id: USER.id, etag: '"1"', user: USER },
  { status: 404, code: 'user-not-found', message: 'User not found with id: 1' },
];

const CHANGE = {
  ...{ id: USER.id, version: 2, type: 'updated', at: '2026-11-22T21:33:18.024Z' },
  ...{ by: 'auth0|65f1c0', byName: 'Ann Lee' },
  user: { ...USER, age: 31 },
};

/**
 * Examples of bodies and answers, by schema: programs that import the document send the first, and show the others. Both patches can be applied
 * to every user, more than once.
 */
const BY_SCHEMA: Readonly<Partial<Record<SchemaName, unknown>>> = {
  User: USER,
  UserInput: INPUT,
  UserMergePatch: { age: 31, country: null, attributes: { level: 4, teams: null } },
  JsonPatch: [
    { op: 'replace', path: '/name', value: 'Ann Lee-Smith' },
    { op: 'add', path: '/age', value: 31 },
  ],
  Batch: { operations: BATCH },
  BatchResults: { results: RESULTS },
  EditInput: EDIT,
  // Writes nothing.
  UndoInput: { dryRun: true },
  EditAnswer: EDITED,
  EditState: {
    ...{ edit: '4f1d0c7a92be3865', at: '2026-11-20T09:30:00.000Z', by: 'auth0|6551b2c4' },
    ...{ changed: 2_648, unchanged: 0, failed: [], left: 0 },
  },
  UserPage: { content: [USER], totalElements: 1, totalPages: 1, number: 0, size: 20, first: true, last: true },
  ValueCounts: { total: 5, counts: [{ status: 'active', count: 3 }, { count: 2 }] },
  ChangePage: { changes: [CHANGE], next: 'ldpdvv-2-0-toxabk' },
  UserChange: { ...CHANGE, before: { age: 30 }, after: { age: 31 } },
};

/** RFC 4180. Attributes are JSON in one cell. */
const cellOf = (value: unknown): unknown =>
  typeof value === 'object' ? `"${JSON.stringify(value).replaceAll('"', '""')}"` : value;

const BY_TYPE: Readonly<Record<string, string>> = {
  [MEDIA.csv]: `${Object.keys(USER).join()}\r\n${Object.values(USER).map(cellOf).join()}\r\n`,
  [MEDIA.ndjson]: `${JSON.stringify(USER)}\n`,
};

interface Schema {
  $ref?: string;
  items?: Schema;
}

const named = ({ $ref = '' }: Schema): unknown => BY_SCHEMA[$ref.split('/').at(-1) as SchemaName];

/** An example of a media type with a schema, if there is one. */
export const exampleOf = (type: string, schema: Schema): unknown =>
  BY_TYPE[type] ?? (schema.items ? [named(schema.items)] : named(schema));

/** The two forms of an error with a status: an example each. API Gateway has its own text for too many requests. */
export function errorExamples(status: number) {
  const [code, problem] = Object.entries(PROBLEMS).find(([, each]) => each.status === status) ?? [];
  const message = problem?.meaning ?? 'Too many requests, please slow down';
  return { body: { status, message }, problem: { type: typeOf(code ?? ''), title: message, status, detail: message } };
}
