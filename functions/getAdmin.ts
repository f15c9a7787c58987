import { adminHeaders, adminPage } from '../admin/page.ts';
import { readSignIn } from '../admin/settings.ts';
import { optionalVariable } from '../lib/ground/index.ts';
import { type EndpointRoute, endpoint, type OperationDescription } from '../lib/http/api.ts';
import { textResponse } from '../lib/openapi/description.ts';
import { basePathOf, MEDIA, nothing, okText } from '../lib/rest/index.ts';
import { isProtected } from '../lib/rest/tokens/index.ts';

export const route: EndpointRoute = {
  at: 'GET /api/admin',
  scopes: [],
  permissions: [],
  settings: {
    environment: {
      OIDC_AUDIENCE: '${param:audience}',
      OIDC_SCOPE_PREFIX: '${param:scopePrefix}',
      ADMIN_CLIENT_ID: '${param:adminClientId}',
    },
  },
  elsewhere: 'admin console dashboard ui',
  there: '/api/admin is a page for people',
  examples: [{ title: 'The admin page' }],
};

export const about = (): OperationDescription => ({
  summary: 'A page to look users up and to change them',
  responses: { 200: textResponse('The page.', 'text/html') },
});

export const handler = /* @__PURE__ */ endpoint(
  nothing,
  async (_, event) => {
    const signIn = isProtected() ? await readSignIn() : undefined;
    const where = {
      api: `${basePathOf(event)}/api`,
      stage: optionalVariable('STAGE') ?? '',
      isLocal: optionalVariable('IS_OFFLINE') !== undefined,
      historyDays: Number(optionalVariable('HISTORY_DAYS') ?? 30),
    };
    const settings = { ...where, isProtected: isProtected(), ...(signIn && { signIn }) };
    return okText(MEDIA.html, adminPage(settings), adminHeaders(settings));
  },
  ['text/html'],
);
