import { PAGE_NAMES } from './files.ts';
import type { PageSettings } from './settings.ts';

/** No text can end the element that holds it. */
const embedded = (settings: PageSettings): string => JSON.stringify(settings).replaceAll('<', '\\u003c');

export const adminPage = (settings: PageSettings): string => `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>Users · ${settings.stage}</title>
<link rel="icon" href="data:,">
<link rel="stylesheet" href="${settings.api}/admin/${PAGE_NAMES.style}">
<link rel="license" href="${settings.api}/admin/${PAGE_NAMES.licences}">
<script type="application/json" id="settings">${embedded(settings)}</script>
${settings.signIn ? `<link rel="modulepreload" href="${settings.api}/admin/${PAGE_NAMES.signIn}">\n` : ''}<script type="module" src="${settings.api}/admin/${PAGE_NAMES.script}"></script>
</head>
<body>
<noscript>This page needs JavaScript.</noscript>
</body>
</html>
`;

/** The page loads scripts and styles only from its own host, and calls only that, and the issuer for tokens. */
export function adminHeaders({ signIn }: PageSettings): Record<string, string> {
  const hosts = signIn ? ` ${new URL(signIn.metadata.token_endpoint).origin}` : '';
  return {
    'content-security-policy':
      `default-src 'none'; script-src 'self'; style-src 'self'; img-src data:; connect-src 'self'${hosts}; ` +
      "base-uri 'none'; form-action 'none'; frame-ancestors 'none'; require-trusted-types-for 'script'; trusted-types 'none'",
  };
}
