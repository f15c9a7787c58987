import { adminHeaders, adminPage } from '../admin/page.ts';
import { readSignIn } from '../admin/settings.ts';
import { optionalVariable } from '../lib/ground/index.ts';
import { endpoint } from '../lib/http/api.ts';
import { basePathOf, MEDIA, nothing, okText } from '../lib/rest/index.ts';
import { isProtected } from '../lib/rest/tokens/index.ts';

export const handler = endpoint(
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
  [MEDIA.html],
);
