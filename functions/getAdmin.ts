import { adminHeaders, adminPage } from '../admin/page.ts';
import { readSignIn } from '../admin/settings.ts';
import { isProtected } from '../lib/auth/settings.ts';
import { endpoint, noParameters } from '../lib/http/endpoint.ts';
import { HTML_TYPE } from '../lib/http/mediaTypes.ts';
import { basePathOf, okText } from '../lib/http/response/responses.ts';
import { isLocal } from '../lib/log.ts';
import { optionalVariable } from '../lib/runtime.ts';

export const handler = endpoint(
  noParameters,
  async (_, event) => {
    const signIn = isProtected() ? await readSignIn() : undefined;
    const where = { api: `${basePathOf(event)}/api`, stage: optionalVariable('STAGE') ?? '', isLocal: isLocal() };
    const settings = { ...where, isProtected: isProtected(), ...(signIn && { signIn }) };
    return okText(HTML_TYPE, adminPage(settings), adminHeaders(settings));
  },
  [HTML_TYPE],
);
