import { type EndpointRoute, endpointWithBody, type OperationDescription } from '../lib/http/api.ts';
import { readEditName, readWait } from '../lib/http/queries/edit.ts';
import { undoBody } from '../lib/http/request/undo.ts';
import { okEdit, okPreview } from '../lib/http/response/edits.ts';
import { editAnswers } from '../lib/openapi/description.ts';
import { failureOf, originOf } from '../lib/rest/index.ts';
import { undo, undoPreview } from '../lib/roots/undo.ts';

export const route: EndpointRoute = {
  at: 'POST /api/users/edits/{edit}/undo',
  scopes: ['users:audit', 'users:read', 'users:write'],
  isStrict: true,
  isUntimed: true,
  permissions: ['readUser', 'putUsers', 'deleteUsers', 'beginLives', 'takeEmails', 'freeValues', 'readHistory'],
  // It works for twenty seconds.
  settings: { timeout: 28 },
  does: 'takes an edit back',
  elsewhere: 'undo restore undelete recover revert rollback reactivate deleted trash archive archived',
  there:
    'POST /api/users/edits/{edit}/undo takes an edit back, and PUT /api/users/{id} with If-None-Match: * brings a deleted user back. GET /api/users/changes?type=deleted has the deleted users',
  examples: [{ title: 'Give the users of the edit back what they had before' }],
};

export const about = (): OperationDescription => ({
  summary: 'Undo an edit',
  description:
    'Gives all users of an edit their former values, unless somebody has changed them since, and brings deleted users back with their ids. The others are in `failed`: changed since (412), erased (410), or with a value that another user has by now (409). ' +
    'The edit cannot be continued afterwards. A call works for at most 20 seconds: send it again until `left` is 0. An undo is an edit with the name of the edit and `-undo`, and can be undone. If you send it again after its end, it tries the failed users once more. An edit can be undone as long as its changes are kept. ' +
    'A body is optional: `"dryRun": true` returns the number of users who are left to give back, examples and the cost, and `atMost` refuses the undo of more users.',
  headers: ['PreferWait'],
  body: 'UndoInput',
  isBodyOptional: true,
  responses: editAnswers('More users are left to give back, or another call works on the edit, or on its undo.'),
  errors: [404, 413, 415],
});

/** Gives the users of an edit back what they had before it, or says what would happen. */
export const handler = /* @__PURE__ */ endpointWithBody(
  undoBody,
  readEditName,
  async ({ body: { dryRun, atMost }, parameters: name }, event, { awsRequestId }) => {
    if (dryRun) return okPreview(await undoPreview(name));
    const options = { atMost: atMost ?? undefined, withinMs: readWait(event) };
    return okEdit(await undo(name, originOf(event), (error) => failureOf(error, awsRequestId), options));
  },
);
