import type { Query } from '../http/parameters/parameter.ts';
import { feedQuery, historyQuery, MAX_USER_CHANGES } from '../http/queries/changes.ts';
import { countsQuery, cursorQuery, editQuery, searchQuery, streamQuery, usersQuery } from '../http/queries/lists.ts';
import { externalIdQuery, userQuery } from '../http/queries/user.ts';
import type { Operation } from '../http/routes.ts';
import { MEDIA } from '../rest/index.ts';
import type { HeaderName } from './headers.ts';
import type { HEADER_PARAMETERS, PATH_PARAMETERS } from './parameters.ts';
import {
  collectionResponse,
  type ErrorStatus,
  emptyResponse,
  errorResponse,
  jsonResponse,
  textResponse,
  usersSchema,
} from './responses.ts';
import { type SchemaName, schemaRef } from './schemas.ts';

/** The description of one operation, without its route. */
export interface OperationDescription {
  summary: string;
  description?: string;
  /** The parameter in its path. */
  path?: keyof typeof PATH_PARAMETERS;
  query?: Query;
  /** The header fields that it heeds. */
  headers?: readonly (keyof typeof HEADER_PARAMETERS)[];
  /** Schemas of the body by media type, the usual one first. */
  body?: Readonly<Record<string, SchemaName>>;
  isBodyOptional?: true;
  /** Its own responses by status. */
  responses: Readonly<Record<number, object>>;
  /** The errors that it can have in addition to the errors of every operation. */
  errors?: readonly ErrorStatus[];
}

/** The responses of a collection: the users, or 304. */
const collection = (description: string, schema: object, ...headers: HeaderName[]) => ({
  200: collectionResponse(description, schema, 'ETag of collections', 'Advice', ...headers),
  304: emptyResponse('No user has changed since.', 'ETag of collections'),
});

const oneUser = (description: string, ...headers: HeaderName[]) =>
  jsonResponse(description, schemaRef('User'), 'ETag', ...headers);

const writtenUser = oneUser('The user as it is now.', 'Ignored-Members');

const newUser = (...headers: HeaderName[]) =>
  jsonResponse('The new user.', schemaRef('User'), 'ETag', 'Ignored-Members', 'Location', ...headers);

const REPLACED_OR_CREATED = { 200: writtenUser, 201: newUser() };

export const OPERATIONS: Readonly<Record<Operation, OperationDescription>> = {
  listUsers: {
    summary: 'List users page by page',
    description:
      'Filters are combined by AND. ' +
      'With the parameter `cursor`, a number, it responds as `/api/users/cursor` does, with an array instead of a page, and refuses `page`, `size` and `sort` (400). ' +
      'With `after` it responds with an array of at most `size` users, for which this document has no schema, and refuses `page`, `cursor`, and an order of more than four properties.',
    query: usersQuery,
    headers: ['UnlessChanged'],
    responses: collection('One page.', schemaRef('UserPage'), 'X-Total-Count', 'Link'),
  },
  listUsersByCursor: {
    summary: 'List users batch by batch',
    description:
      'Reads all users reliably while others write: use the last id of a batch as the next cursor. `page`, `size` and `sort` are refused (400), with or without a cursor.',
    query: cursorQuery,
    headers: ['UnlessChanged'],
    responses: collection('Users by ascending id.', usersSchema(20), 'Link'),
  },
  listAllUsers: {
    summary: 'Stream all users',
    description: 'Filters are combined by AND. All users are of one state, however long the stream takes.',
    query: streamQuery,
    headers: ['UnlessChanged'],
    responses: collection('Every matching user, in order.', usersSchema(), 'X-Total-Count'),
  },
  searchUsers: {
    summary: 'Search users by status and last name',
    query: searchQuery,
    headers: ['UnlessChanged'],
    responses: collection('One page.', schemaRef('UserPage'), 'X-Total-Count', 'Link'),
  },
  countUsers: {
    summary: 'Count users by their values',
    description:
      'The number of users with each value of a field, or of two, under any filters. There are at most 1,000 counts, and some 2.5 MB of them, the largest first. The other users are counted together.',
    query: countsQuery,
    headers: ['UnlessChanged'],
    responses: {
      200: jsonResponse(
        'Numbers of users.',
        schemaRef('ValueCounts'),
        'ETag of collections',
        'Advice',
        'X-Total-Count',
      ),
      304: emptyResponse('No user has changed since.', 'ETag of collections'),
    },
  },
  getUser: {
    summary: 'Get a user, perhaps as of a moment',
    description:
      'With `at` also a user who is gone by now. 404 if there was no such user then, 410 if the changes since then are no longer kept or were erased.',
    path: 'Id',
    query: userQuery,
    headers: ['IfNoneMatch'],
    responses: { 200: oneUser('The user.'), 304: emptyResponse('The client has this version.', 'ETag') },
    errors: [404, 410],
  },
  createUser: {
    summary: 'Create a user',
    description: '`id`, `createdAt` and `updatedAt` are set by the service.',
    headers: ['IdempotencyKey'],
    body: { [MEDIA.json]: 'UserInput' },
    responses: { 201: newUser('Idempotency-Replayed') },
    errors: [409, 413, 415, 422],
  },
  batchUsers: {
    summary: 'Create, replace, patch and delete several users',
    description:
      'Up to 100 operations, each like a request of its own. The response is 200 even if all have failed, and has a result for each, in their order. Operations of the same user, by `id` or `externalId`, run in the order given, all others in any order. ' +
      'An operation for which there was no time, or no database, has the status 503, and may be sent again. An `Idempotency-Key` makes each `create` without `id` repeatable, by its user, in this batch or another one: a user who was created before has the status 200.',
    headers: ['IdempotencyKey'],
    body: { [MEDIA.json]: 'Batch' },
    responses: { 200: jsonResponse('A result for each operation.', schemaRef('BatchResults'), 'Ignored-Members') },
    errors: [413, 415],
  },
  editUsers: {
    summary: 'Change or delete all users who match',
    description:
      'The body has a merge patch, texts that arrays among the attributes lose (`remove`) and then get (`add`), or `"delete": true`. The filters choose the users. An edit without a filter needs `"everybody": true`. First send `"dryRun": true`, which returns the number of users, examples and the cost. Then send `atMost`. ' +
      'Each user is changed by a write of its own, if the user matches at that moment, and each change has the name of the edit. A call works for at most 20 seconds: send it again with `edit` until `left` is 0. Users who could not be changed are in `failed`. The numbers are those of all calls. ' +
      'With an `Idempotency-Key` the same call continues the edit even if its answer was lost. A patch that no user could have, or of `externalId`, is refused before anything is written. So is any unknown parameter, also with `Prefer: handling=lenient`.',
    query: editQuery,
    headers: ['IdempotencyKey', 'PreferWait'],
    body: { [MEDIA.json]: 'EditInput' },
    responses: {
      200: jsonResponse('The result, or the preview.', schemaRef('EditAnswer')),
      409: errorResponse(409, 'More users match, or the edit cannot go on now.', 'Retry-After of edits'),
    },
    errors: [404, 413, 415, 422],
  },
  getEdit: {
    summary: 'Get an edit',
    description:
      'The number of users whom an edit, or an undo, has changed so far, and when and by whom it was begun. It is there as long as its changes are kept.',
    path: 'EditName',
    responses: { 200: jsonResponse('The edit.', schemaRef('EditState')) },
    errors: [404],
  },
  undoEdit: {
    summary: 'Undo an edit',
    description:
      'Gives all users of an edit their former values, unless somebody has changed them since, and brings deleted users back with their ids. The others are in `failed`: changed since (412), erased (410), or with a value that another user has by now (409). ' +
      'The edit cannot be continued afterwards. A call works for at most 20 seconds: send it again until `left` is 0. An undo is an edit with the name of the edit and `-undo`, and can be undone. If you send it again after its end, it tries the failed users once more. An edit can be undone as long as its changes are kept. ' +
      'A body is optional: `"dryRun": true` returns the number of users who are left to give back, examples and the cost, and `atMost` refuses the undo of more users.',
    path: 'EditName',
    headers: ['PreferWait'],
    body: { [MEDIA.json]: 'UndoInput' },
    isBodyOptional: true,
    responses: {
      200: jsonResponse('The result, or the preview.', schemaRef('EditAnswer')),
      409: errorResponse(
        409,
        'More users are left to give back, or another call works on the edit, or on its undo.',
        'Retry-After of edits',
      ),
    },
    errors: [404, 413, 415],
  },
  upsertUser: {
    summary: 'Create or replace the user with an external id',
    description:
      'For a sync with an issuer or another system. The same request again writes nothing. Fields that are left out are removed. Of two at the same time one creates, and the other one replaces. With `If-None-Match: *` it only creates.',
    query: externalIdQuery,
    headers: ['IfMatch', 'UnlessMatchOrAny'],
    body: { [MEDIA.json]: 'UserInput' },
    responses: REPLACED_OR_CREATED,
    errors: [409, 412, 413, 415],
  },
  replaceUser: {
    summary: 'Replace a user, or create one with a given id',
    description:
      'Fields that are left out are removed. If that changes nothing, nothing is written and the ETag stays. With `If-None-Match: *` the user is created with this id, also if a deleted user had it, or a user of another service of this kind. `createdAt` follows from it.',
    path: 'Id',
    headers: ['IfMatch', 'UnlessMatchOrAny'],
    body: { [MEDIA.json]: 'UserInput' },
    responses: REPLACED_OR_CREATED,
    errors: [404, 409, 412, 413, 415],
  },
  patchUser: {
    summary: 'Change some fields of a user',
    description:
      'A JSON Merge Patch (RFC 7396), in which null removes a field, or a JSON Patch (RFC 6902). If it changes nothing, nothing is written and the ETag stays.',
    path: 'Id',
    headers: ['IfMatch', 'UnlessMatch'],
    body: { [MEDIA.mergePatch]: 'UserMergePatch', [MEDIA.jsonPatch]: 'JsonPatch', [MEDIA.json]: 'UserMergePatch' },
    responses: {
      200: writtenUser,
      415: errorResponse(415, 'The media type of the body is not one of a patch.', 'Accept-Patch'),
    },
    errors: [404, 409, 412, 413],
  },
  deleteUser: {
    summary: 'Delete a user',
    path: 'Id',
    headers: ['IfMatch', 'UnlessMatch'],
    responses: { 204: emptyResponse('The user is gone.') },
    errors: [404, 412],
  },
  listChanges: {
    summary: 'Follow what happens to all users',
    description:
      'Each change comes once, in an order that never changes, and those of a user in the order of versions. Ask again with `next` as `after`: no change is skipped. You are at the end when `next` is the token that you sent. With `before` the newest comes first: ask again with `next` as `before`, until it is absent. `by`, `type` and `id` choose changes. A request looks at no more than 1,000, so a page may be short, or empty, and have a `next`. A change appears some fifteen seconds after the write.',
    query: feedQuery,
    responses: { 200: jsonResponse('Changes.', schemaRef('ChangePage'), 'Link of changes') },
    errors: [404, 410],
  },
  listUserChanges: {
    summary: 'See what happened to a user',
    description: 'It has every write immediately. It is empty for a user who never was, or of whom no change is kept.',
    path: 'Id',
    query: historyQuery,
    responses: {
      200: jsonResponse(
        'Changes, the newest first.',
        { type: 'array', items: schemaRef('UserChange'), maxItems: MAX_USER_CHANGES },
        'Link of changes',
      ),
    },
    errors: [404],
  },
  eraseUserChanges: {
    summary: "Erase a user's past",
    description:
      'Erases the kept changes of a user, here and in the changes of all users. Those still show that there was a change, without the user and the writer.',
    path: 'Id',
    responses: { 204: emptyResponse('The changes are erased.') },
  },
  getOpenApi: {
    summary: 'This document',
    responses: { 200: jsonResponse('OpenAPI 3.1.', schemaRef('OpenApiDocument')) },
  },
  getDocs: {
    summary: 'A page to read and try the API',
    responses: { 200: textResponse('The page.', 'text/html') },
  },
  getDocsFile: {
    summary: 'A file of that page',
    path: 'File',
    responses: { 200: textResponse('The file.', 'text/css', 'text/javascript', 'text/plain') },
    errors: [404],
  },
  getAdmin: {
    summary: 'A page to look users up and to change them',
    responses: { 200: textResponse('The page.', 'text/html') },
  },
  getAdminFile: {
    summary: 'A file of that page',
    description: 'Its name changes with its content, so it may be kept for a year.',
    path: 'AdminFile',
    responses: { 200: textResponse('The file.', 'text/css', 'text/javascript', 'text/plain') },
    errors: [404],
  },
};
