import fc from 'fast-check';
import { user as representation } from '../../schemas/user.ts';
import { anyText } from './arbitraries.ts';

/** Arbitraries for hostile requests: their bytes, and their parts. */

const INHERITED = [Object, String, Array, Function].flatMap(({ prototype }) => Reflect.ownKeys(prototype).map(String));
const FIELDS = [...Object.keys(representation.properties), 'version'];

export const TEXTS = [
  ...['', ' ', 'Ann', '=1+1', '\u0000', '\u0001', '\uD800', '\uFEFF', '\u2028', '\u{1D160}'.repeat(22), 'x'.repeat(65)],
  ...['x'.repeat(201), '😀'.repeat(200), 'ann@example.com', '1e309', 'true', 'null', '[]', '%00', '../..', "'; --"],
  '${x}',
];
const NUMBERS = [0, -0, -1, 1.5, 2 ** 31, 2 ** 53 - 1, 2 ** 53, 1e308, 5e-324];

const name = fc.oneof(fc.constantFrom(...FIELDS), fc.constantFrom(...INHERITED), fc.constantFrom(...TEXTS));
const scalar = fc.oneof(fc.constantFrom<unknown>(...TEXTS, ...NUMBERS, null, true, false), anyText(20));

export const { value } = fc.letrec((tie) => ({
  value: fc.oneof(
    { maxDepth: 4 },
    { arbitrary: scalar, weight: 3 },
    fc.array(tie('value'), { maxLength: 4 }),
    fc.array(fc.tuple(name, tie('value')), { maxLength: 4 }).map(Object.fromEntries),
  ),
}));

export const user = fc
  .array(fc.tuple(name, fc.oneof(scalar, value)), { maxLength: 5 })
  .map((members) => Object.fromEntries([['name', 'Ann'], ...members]));

const token = fc.oneof(name, fc.constantFrom('-', '0', '1', '01', '-1', '~0', '~1', '~2', 'length', '99999999999'));
const tokens = fc.array(token, { maxLength: 3 });
const pointer = fc.oneof(
  { arbitrary: tokens.map((all) => all.map((text) => `/${text}`).join('')), weight: 9 },
  fc.constantFrom(...TEXTS),
);
const op = fc.oneof(
  { arbitrary: fc.constantFrom('add', 'remove', 'replace', 'move', 'copy', 'test'), weight: 20 },
  name,
);
const operation = fc.record({ op, path: pointer, from: pointer, value }, { requiredKeys: ['op', 'path', 'from'] });
/** Operations on members that a user has, so that a patch gets beyond its first operation. */
const likely = fc.constantFrom(
  { op: 'add', path: '/x', value: { y: [1, 'z'] } },
  { op: 'test', path: '/name', value: 'Ann' },
  { op: 'replace', path: '/name', value: 'Ann' },
  { op: 'copy', from: '/name', path: '/lastName' },
  { op: 'copy', from: '', path: '/x' },
  { op: 'move', from: '/name', path: '/x/y/-' },
);
export const jsonPatch = fc.oneof(
  { arbitrary: fc.array(fc.oneof({ arbitrary: likely, weight: 4 }, operation), { maxLength: 4 }), weight: 9 },
  fc.array(value, { maxLength: 4 }),
);

const nested = fc
  .tuple(fc.constantFrom(['[', ']'], ['{"a":', '}'], ['{"__proto__":', '}']), fc.constantFrom(99, 100, 101, 5_000))
  .map(([[open = '', end = ''], levels]) => `{"name":"Ann","x":${open.repeat(levels)}1${end.repeat(levels)}}`);

const json = (arbitrary: fc.Arbitrary<unknown>) => arbitrary.map((content) => JSON.stringify(content));

const broken = fc
  .tuple(json(value), fc.nat(30), anyText(3))
  .map(([text, at, noise]) => text.slice(0, at) + noise + text.slice(at + 1));

/** Bodies without a media type. */
const anyContent = fc.oneof(
  { arbitrary: json(value), weight: 3 },
  broken,
  nested,
  fc.constantFrom('', '\uFEFF{}', '[]', '{}', 'null', '{"name":"Ann"}', `[${'{},'.repeat(200)}0]`, '['.repeat(10_000)),
);
export const body = fc.oneof(json(user), json(jsonPatch), anyContent);

const TYPES = [
  ...['application/json', 'application/merge-patch+json', 'application/json-patch+json'],
  ...['APPLICATION/JSON; charset=utf-8', 'text/plain', 'multipart/form-data; boundary=x', 'application/json;', ';'],
  '__proto__',
];

const PATHS = [
  ...['/api/users', '/api/users/all', '/api/users/cursor', '/api/users/search', '/api/users/changes', '/api/docs'],
  ...['/api', '/', '//'],
];
export const PARAMETERS = [
  ...['page', 'size', 'sort', 'cursor', 'status', 'country', 'keyword', 'email', '__proto__', 'x'],
  ...['age.gte', 'createdAt.lt', 'name.startsWith', 'after', 'before'],
];

/** Characters that Node accepts in a path or a header, and some that it refuses. */
const visible = fc.string({
  unit: fc.oneof(
    { arbitrary: fc.integer({ min: 0x21, max: 0x7e }).map((code) => String.fromCharCode(code)), weight: 50 },
    fc.constantFrom('%00', '%2F', '%zz', '%C3%28', '%F0%9F%98%80', '%ED%A0%80', '\u00e9', ' ', '\t', '\0'),
  ),
  maxLength: 20,
});
const encoded = (text: string) => encodeURIComponent(text.toWellFormed());

const queryValue = fc.oneof(
  fc.constantFrom(...TEXTS, ...NUMBERS.map(String), ...FIELDS.map((field) => `${field},desc`)).map(encoded),
  visible,
);
const query = fc
  .array(fc.tuple(fc.constantFrom(...PARAMETERS), queryValue), { maxLength: 3 })
  .map((pairs) => pairs.map(([key, given]) => `${key}=${given}`).join('&'));

const ofUser = (ids: readonly number[]) =>
  fc
    .tuple(fc.constantFrom(...ids), fc.constantFrom('', '', '', '/changes'))
    .map(([id, end]) => `/api/users/${id}${end}`);

const target = (ids: readonly number[]) => {
  const path = fc.oneof(
    { arbitrary: ofUser(ids), weight: 8 },
    { arbitrary: fc.constantFrom(...PATHS), weight: 6 },
    visible.map((text) => `/api/users/${text}`),
    visible.map((text) => `/${text}`),
    visible,
  );
  return fc
    .tuple(path, fc.option(query, { nil: '', freq: 2 }))
    .map(([start, end]) => (end ? `${start}?${end}` : start));
};

export const HEADERS = [
  ...['application/json', 'text/csv', 'application/problem+json', '*/*;q=0', 'text/html', 'a/b;q=x', ','].map(
    (type) => `Accept: ${type}`,
  ),
  ...['*', '"1"', 'W/"1"', '"', '"1", "2"', ''].flatMap((tag) => [`If-Match: ${tag}`, `If-None-Match: ${tag}`]),
  ...['x', '"x"', '', 'a b', 'k'.repeat(256)].map((key) => `Idempotency-Key: ${key}`),
  ...['bytes=0-1', 'bytes=9-', 'x'].map((range) => `Range: ${range}`),
  ...['Bearer x', 'Bearer a.e30.c', 'Basic x', ''].map((credentials) => `Authorization: ${credentials}`),
  ...['Cookie: a; =;;"', 'Origin: null', 'Origin: http://a', 'Expect: x', 'Expect: 100-continue', 'Upgrade: x'],
  ...['__proto__: x', 'If-Modified-Since: x', 'Accept-Encoding: identity;q=x', 'Content-Encoding: gzip'],
  ...['constructor: x', 'X-Long: '.padEnd(20_000, 'x'), 'X-HTTP-Method-Override: DELETE', 'Transfer-Encoding: x'],
  ...['Content-Length: 7', 'Host: y', 'no colon', ': x', ' folded'],
];
const header = fc.oneof(
  { arbitrary: fc.constantFrom(...HEADERS), weight: 9 },
  visible.map((text) => `X-Any: ${text}`),
);

export const METHODS = ['GET', 'POST', 'PUT', 'PATCH', 'HEAD', 'OPTIONS', 'TRACE', 'PROPFIND', 'FOO', 'get', ''];

interface Parts {
  method: string;
  path: string;
  headers: string[];
  content: string;
}

function bytesOf({ method, path, headers, content }: Parts): Buffer {
  const payload = Buffer.from(content);
  const length = payload.length > 0 ? [`Content-Length: ${payload.length}`] : [];
  const head = [`${method} ${path} HTTP/1.1`, 'Host: localhost', 'Connection: close', ...length, ...headers, '', ''];
  return Buffer.concat([Buffer.from(head.join('\r\n'), 'latin1'), payload]);
}

const typed = (type: string, content: fc.Arbitrary<string>, path: fc.Arbitrary<string>, ...methods: string[]) =>
  fc.record<Parts>({
    method: fc.constantFrom(...methods),
    path,
    headers: fc.array(header, { maxLength: 1 }).map((headers) => [`Content-Type: ${type}`, ...headers]),
    content: fc.oneof({ arbitrary: content, weight: 9 }, anyContent),
  });

/** Well-formed HTTP whose body is the hostile part. */
const withBody = (ids: readonly number[]) =>
  fc.oneof(
    typed('application/json', json(user), fc.constant('/api/users'), 'POST'),
    typed('application/json', json(user), ofUser(ids), 'PUT', 'PATCH'),
    typed('application/merge-patch+json', json(user), ofUser(ids), 'PATCH'),
    { arbitrary: typed('application/json-patch+json', json(jsonPatch), ofUser(ids), 'PATCH'), weight: 4 },
    fc.constantFrom(...TYPES).chain((type) => typed(type, body, target(ids), 'POST', 'PUT', 'PATCH', 'GET')),
  );

const content = fc.oneof({ arbitrary: fc.constant(''), weight: 3 }, body);

/** Random bytes that look a little like HTTP. */
const raw = (ids: readonly number[]) =>
  fc.record<Parts>({
    method: fc.oneof({ arbitrary: fc.constantFrom(...METHODS), weight: 30 }, visible),
    path: target(ids),
    headers: fc.array(header, { maxLength: 3 }),
    content,
  });

const removal = (ids: readonly number[]) =>
  fc.record<Parts>({
    method: fc.constant('DELETE'),
    path: ofUser(ids),
    headers: fc.array(header, { maxLength: 1 }),
    content,
  });

const damaged = (ids: readonly number[]) =>
  fc.tuple(raw(ids).map(bytesOf), fc.nat(), fc.nat(255), fc.nat(8)).map(([bytes, at, byte, less]) => {
    bytes[at % bytes.length] = byte;
    return bytes.subarray(0, Math.max(1, bytes.length - less));
  });

/** The bytes of a request. Some requests are for users with these ids. Only removable users are deleted. */
export const hostileRequest = (ids: readonly number[], removable: readonly number[]): fc.Arbitrary<Buffer> =>
  fc.oneof(
    { arbitrary: withBody(ids).map(bytesOf), weight: 10 },
    { arbitrary: raw(ids).map(bytesOf), weight: 8 },
    { arbitrary: damaged(ids), weight: 2 },
    removal(removable).map(bytesOf),
  );
