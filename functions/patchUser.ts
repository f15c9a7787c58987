import { type EndpointRoute, endpointWithBody, type OperationDescription } from '../lib/http/api.ts';
import { readId } from '../lib/http/queries/id.ts';
import { patchBody } from '../lib/http/request/patch.ts';
import { checked } from '../lib/http/request/userBody.ts';
import { okUser } from '../lib/http/response/users.ts';
import { errorResponse, writtenUser } from '../lib/openapi/description.ts';
import { MEDIA, originOf } from '../lib/rest/index.ts';
import { users } from '../lib/roots/users.ts';

export const route: EndpointRoute = {
  at: 'PATCH /api/users/{id}',
  scopes: ['users:write'],
  permissions: ['readUser', 'putUsers', 'takeEmails', 'freeValues'],
  does: 'changes the user by a JSON Merge Patch or JSON Patch',
  elsewhere: 'activate deactivate suspend unsuspend block unblock enable disable lock unlock lifecycle',
  there: 'PATCH /api/users/{id} sets the status',
  examples: [
    {
      title: 'Change some fields of the user',
      headers: { 'Content-Type': 'application/merge-patch+json' },
      json: { status: 'locked', lastName: null },
    },
  ],
};

export const about = (): OperationDescription => ({
  summary: 'Change some fields of a user',
  description:
    'A JSON Merge Patch (RFC 7396), in which null removes a field, or a JSON Patch (RFC 6902). If it changes nothing, nothing is written and the ETag stays.',
  headers: ['IfMatch', 'UnlessMatch'],
  body: { [MEDIA.mergePatch]: 'UserMergePatch', [MEDIA.jsonPatch]: 'JsonPatch', [MEDIA.json]: 'UserMergePatch' },
  responses: {
    200: writtenUser(),
    415: errorResponse(415, 'The media type of the body is not one of a patch.', 'Accept-Patch'),
  },
  errors: [404, 409, 412, 413],
});

export const handler = /* @__PURE__ */ endpointWithBody(
  patchBody,
  readId,
  async ({ body: patch, parameters: id }, event) =>
    okUser(await users.update(id, checked(event, patch), originOf(event))),
);
