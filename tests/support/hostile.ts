import fc from 'fast-check';
import { user as representation } from '../../schemas/user.ts';
import { anyText } from './arbitraries.ts';

/** Arbitraries for hostile requests: their bytes, and their parts. */

const INHERITED = [Object, String, Array, Function].flatMap(({ prototype }) => Reflect.ownKeys(prototype).map(String));
const FIELDS = [...Object.keys(representation.properties), 'version'];

export const TEXTS = [
  ...['', ' ', 'Ann', '=1+1', '\u0000', '\u0001', '\uD800', '\uFEFF', '\u2028', '\u{1D160}'.repeat(22), 'x'.repeat(65)],
  ...['x'.repeat(201), '😀'.repeat(200), 'ann@example.com', '1e309', 'true', 'null', '[]', '%00', '../..', "'; --"],
  ...['${x}', 'mi\u212ae@x.org', 'i\u0323\u0307'],
];
const NUMBERS = [0, -0, -1, 1.5, 2 ** 31, 2 ** 53 - 1, 2 ** 53, 1e308, 5e-324];

const name = fc.oneof(fc.constantFrom(...FIELDS), fc.constantFrom(...INHERITED), fc.constantFrom(...TEXTS));
const scalar = fc.oneof(fc.constantFrom<unknown>(...TEXTS, ...NUMBERS, null, true, false), anyText(20));

const { value } = fc.letrec((tie) => ({
  value: fc.oneof(
    { maxDepth: 4 },
    { arbitrary: scalar, weight: 3 },
    fc.array(tie('value'), { maxLength: 4 }),
    fc.array(fc.tuple(name, tie('value')), { maxLength: 4 }).map(Object.fromEntries),
  ),
}));

const user = fc
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
const jsonPatch = fc.oneof(
  { arbitrary: fc.array(fc.oneof({ arbitrary: likely, weight: 4 }, operation), { maxLength: 4 }), weight: 9 },
  fc.array(value, { maxLength: 4 }),
);

/** Operations of a batch, about the users of whom hostile events are, or nobody. */
const batchOperation = fc.record(
  {
    op: fc.oneof({ arbitrary: fc.constantFrom('create', 'upsert', 'replace', 'patch', 'delete'), weight: 9 }, name),
    id: fc.oneof(fc.constantFrom(7, 2 ** 53, -1), value),
    externalId: fc.oneof(fc.constantFrom(...TEXTS), value),
    user: fc.oneof(user, value),
    patch: fc.oneof(user, value),
    ifMatch: fc.oneof(fc.constantFrom('*', '"1"', 'x'), value),
    constructor: value,
  },
  { requiredKeys: ['op'] },
);
const batch = fc.record({
  operations: fc.oneof(
    { arbitrary: fc.array(fc.oneof({ arbitrary: batchOperation, weight: 6 }, value), { maxLength: 6 }), weight: 9 },
    value,
  ),
});

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
export const body = fc.oneof(json(user), json(jsonPatch), json(batch), anyContent);

export const PARAMETERS = [
  ...['page', 'size', 'sort', 'cursor', 'status', 'country', 'keyword', 'email', '__proto__', 'x'],
  ...['age.gte', 'createdAt.lt', 'name.startsWith', 'after', 'before', 'fields'],
];

export const METHODS = ['GET', 'POST', 'PUT', 'PATCH', 'HEAD', 'OPTIONS', 'TRACE', 'PROPFIND', 'FOO', 'get', ''];
