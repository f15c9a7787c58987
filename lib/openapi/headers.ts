/** Response headers by name, as OpenAPI Header Objects. A required one is on every response that names it. */
const text = (description: string, required = true) => ({ description, required, schema: { type: 'string' } }) as const;

const COUNT = { type: 'integer', format: 'int64', minimum: 0 } as const;

const HEADERS = {
  ETag: text('The version of the user (RFC 9110, section 8.8.3), for `If-Match` and `If-None-Match`.'),
  'ETag of collections': text(
    'The state of all users, weak (RFC 9110, section 8.8.3): it changes with every write to any user, and when lists are repaired. For `If-None-Match`.',
  ),
  'Ignored-Members': text(
    'The members of the body that nothing came of, at most 20: each a token, or a quoted string (RFC 9110, section 5.6).',
    false,
  ),
  Location: text('Path of the new user, below the host.'),
  'Idempotency-Replayed': text(
    '`true` when an earlier request with this `Idempotency-Key` created the user, who may have changed or gone since.',
    false,
  ),
  Link: text(
    'Pages by `rel` (RFC 8288): next, prev, first and last, if there are such pages and the links fit; next after a full batch.',
    false,
  ),
  'Link of changes': text('The next page (RFC 8288), as `next`. Not on a page without changes.', false),
  Advice: text(
    'A filter that was probably meant otherwise, and what to send: nobody matches and its value has a comma, `*` or `%`, which are a part of it, or it is blank.',
    false,
  ),
  'Preference-Applied': text(
    '`handling=lenient` or `handling=strict`, if that was asked for (RFC 7240, section 3).',
    false,
  ),
  'X-Total-Count': { description: 'How many users match.', required: true, schema: COUNT },
  'Server-Timing': text(
    'The cost of the request in DynamoDB read and write units. For a list also the number of recent writes in the journal, and whether all users were in memory (`warm`) or had to be loaded. Of a stage with OpenSearch, how many users had changed since the state of its index.',
    false,
  ),
  'Retry-After': text('Seconds to wait before the next try (RFC 9110, section 10.2.3).'),
  'Retry-After of edits': text('Seconds to wait while another call works on the edit.', false),
  'WWW-Authenticate': text('`Bearer` (RFC 6750, section 3).'),
  'Accept-Patch': text('The media types of patches (RFC 5789, section 3.1).'),
} as const;

export type HeaderName = keyof typeof HEADERS;

/** The name in a response. */
const fieldOf = (name: HeaderName): string => name.split(' ')[0] ?? '';

/** The name in the document, where spaces are not allowed. */
const keyOf = (name: HeaderName): string => name.replaceAll(' ', '-');

export const headerComponents = () =>
  Object.fromEntries(Object.entries(HEADERS).map(([name, header]) => [keyOf(name as HeaderName), header]));

export const headerRefs = (names: readonly HeaderName[]) =>
  Object.fromEntries(names.map((name) => [fieldOf(name), { $ref: `#/components/headers/${keyOf(name)}` }]));
