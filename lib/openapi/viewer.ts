import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';

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

const viewerFile = (name: string) => readFileSync(resolve(VIEWER, name), 'utf8');

const licence = (name: string) => ({ type: 'text/plain', read: () => viewerFile(name) });

const FILES: Readonly<Record<string, { type: string; read: () => string }>> = {
  'start.js': { type: 'text/javascript', read: () => START },
  'swagger-ui-bundle.js': { type: 'text/javascript', read: () => viewerFile('swagger-ui-bundle.js') },
  // Whoever gets the viewer must get these, too.
  'swagger-ui-bundle.js.LICENSE.txt': licence('swagger-ui-bundle.js.LICENSE.txt'),
  LICENSE: licence('LICENSE'),
  NOTICE: licence('NOTICE'),
  'swagger-ui.css': { type: 'text/css', read: () => viewerFile('swagger-ui.css') },
};

export const DOCS_FILE_NAMES = Object.keys(FILES);

export const DOCS_FILE_TYPES = ['text/javascript', 'text/css', 'text/plain'] as const;

/** A file that the page asks for; undefined if there is none of this name. */
export function docsFile(name: string): { type: string; content: string } | undefined {
  const file = Object.hasOwn(FILES, name) ? FILES[name] : undefined;
  return file && { type: file.type, content: file.read() };
}
