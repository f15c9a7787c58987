import { readFileSync } from 'node:fs';
import { extname, resolve } from 'node:path';

/** Where npm puts the viewer. A deployed function has the same folder next to its code. */
const VIEWER = 'node_modules/swagger-ui-dist';

/** Light or dark as the reader's system is, which the viewer does not follow by itself. */
const START = `const dark = matchMedia('(prefers-color-scheme: dark)');
const follow = () => document.documentElement.classList.toggle('dark-mode', dark.matches);
dark.addEventListener('change', follow);
follow();
SwaggerUIBundle({
  url: document.getElementById('docs').dataset.document,
  dom_id: '#docs',
  deepLinking: true,
  displayRequestDuration: true,
  tryItOutEnabled: false,
  validatorUrl: null,
});
`;

/** @param base the part of the path before `/api`: the stage, or the base path of a domain */
export const docsPage = (base: string): string => `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>User management API</title>
<link rel="icon" href="data:,">
<link rel="stylesheet" href="${base}/api/docs/swagger-ui.css">
<link rel="license" href="${base}/api/docs/LICENSE">
</head>
<body>
<div id="docs" data-document="${base}/api/openapi.json"></div>
<script src="${base}/api/docs/swagger-ui-bundle.js"></script>
<script src="${base}/api/docs/start.js"></script>
</body>
</html>
`;

/** The page loads scripts only from its own host, and calls only that. The viewer has inline styles and images. */
export const DOCS_HEADERS = {
  'content-security-policy':
    "default-src 'none'; script-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data:; connect-src 'self'; " +
    "base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
};

/** The files of the viewer. Its licences belong to it. */
export const DOCS_FILE_NAMES: readonly string[] = [
  ...['start.js', 'swagger-ui-bundle.js', 'swagger-ui-bundle.js.LICENSE.txt'],
  ...['LICENSE', 'NOTICE', 'swagger-ui.css'],
];

const TYPES: Readonly<Record<string, string>> = { '.js': 'text/javascript', '.css': 'text/css' };

export const DOCS_FILE_TYPES = [...Object.values(TYPES), 'text/plain'];

/** A file that the page asks for; undefined if there is none of this name. */
export function docsFile(name: string): { type: string; content: string } | undefined {
  if (!DOCS_FILE_NAMES.includes(name)) return undefined;
  const content = name === 'start.js' ? START : readFileSync(resolve(VIEWER, name), 'utf8');
  return { type: TYPES[extname(name)] ?? 'text/plain', content };
}
