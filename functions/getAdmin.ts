import { adminHeaders, adminPage } from '../admin/page.ts';
import { readSignIn } from '../admin/settings.ts';
import { isLocal, optionalVariable } from '../lib/ground/index.ts';
import { endpoint, noParameters } from '../lib/rest/endpoint.ts';
import { HTML_TYPE } from '../lib/rest/mediaTypes.ts';
import { basePathOf, okText } from '../lib/rest/responses.ts';
import { isProtected } from '../lib/rest/tokens/settings.ts';

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
