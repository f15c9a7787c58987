import { type EndpointRoute, endpointWithBody, type OperationDescription } from '../lib/http/api.ts';
import { HOLDS_ALL_USERS } from '../lib/http/endpoint.ts';
import { editQuery } from '../lib/http/queries/lists.ts';
import { editBody, toEdit } from '../lib/http/request/edit.ts';
import { okEdit, okPreview } from '../lib/http/response/edits.ts';
import { editAnswers } from '../lib/openapi/description.ts';
import { failureOf } from '../lib/rest/index.ts';
import { edits } from '../lib/roots/edits.ts';

export const route: EndpointRoute = {
  at: 'POST /api/users/edits',
  scopes: ['users:read', 'users:write'],
  // An edit without a filter that was meant would change everybody.
  isStrict: true,
  isUntimed: true,
  permissions: ['readLists', 'readUser', 'putUsers', 'deleteUsers', 'takeEmails', 'freeValues'],
  // It works for twenty seconds, and has a list's answer before.
  settings: HOLDS_ALL_USERS,
  does: '[changes or deletes](#edits) all users who match',
  examples: [
    {
      title: 'Change all who match: first with "dryRun": true',
      query: 'externalId=auth0%7C6551b2c4',
      json: { patch: { status: 'active' }, atMost: 1 },
    },
  ],
};

export const about = (): OperationDescription => ({
  summary: 'Change or delete all users who match',
  description:
    'The body has a merge patch, texts that arrays among the attributes lose (`remove`) and then get (`add`), or `"delete": true`. The filters choose the users. An edit without a filter needs `"everybody": true`. First send `"dryRun": true`, which returns the number of users, examples and the cost. Then send `atMost`. ' +
    'Each user is changed by a write of its own, if the user matches at that moment, and each change has the name of the edit. A call works for at most 20 seconds: send it again with `edit` until `left` is 0. Users who could not be changed are in `failed`. The numbers are those of all calls. ' +
    'With an `Idempotency-Key` the same call continues the edit even if its answer was lost. A patch that no user could have, or of `externalId`, is refused before anything is written. So is any unknown parameter, also with `Prefer: handling=lenient`.',
  query: editQuery,
  headers: ['IdempotencyKey', 'PreferWait'],
  body: 'EditInput',
  responses: editAnswers('More users match, or the edit cannot go on now.'),
  errors: [404, 413, 415, 422],
});

export { started } from '../lib/roots/listing.ts';

/** Changes or deletes all users who match, or says what would happen. */
export const handler = /* @__PURE__ */ endpointWithBody(
  editBody,
  editQuery,
  async ({ body, parameters }, _, { awsRequestId }) => {
    const edit = toEdit(body, parameters);
    if (body.dryRun) return okPreview(await edits.preview(edit));
    return okEdit(await edits.run(edit, (error) => failureOf(error, awsRequestId)));
  },
);
