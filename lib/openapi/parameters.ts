import { editName } from '../../schemas/changes.ts';
import type { Parameter } from '../http/parameters/parameter.ts';
import { INTEGER } from '../http/parameters/parameter.ts';
import { orReference } from './schemas.ts';
import { DOCS_FILE_NAMES } from './viewer.ts';

const inPath = (name: string, description: string, schema: object) =>
  ({ name, in: 'path', required: true, description, schema }) as const;

const header = (name: string, description: string, schema: object = { type: 'string' }) =>
  ({ name, in: 'header', description, schema }) as const;

/** Up to 255 characters, in quotes or not; not two quotes alone. RE2, which Go and Rust have, knows no lookahead. */
const IDEMPOTENCY_KEY =
  '^(?:"[\\x21-\\x7e]{1,255}"|"(?:[\\x21-\\x7e]{0,253}[\\x21\\x23-\\x7e])?|[\\x21\\x23-\\x7e][\\x21-\\x7e]{0,254})$';

/** The parameters in paths. */
export const PATH_PARAMETERS = {
  Id: inPath('id', 'A 64-bit integer.', INTEGER),
  File: inPath('file', 'A file of the documentation page.', { type: 'string', enum: DOCS_FILE_NAMES }),
  EditName: inPath('edit', 'The name of an edit.', editName),
  AdminFile: inPath('file', 'A file of the admin page, as the page names it.', { type: 'string', minLength: 1 }),
} as const;

export const HEADER_PARAMETERS = {
  IfMatch: header('If-Match', 'Write only if the user still has one of these ETags; `*` for any.'),
  IfNoneMatch: header('If-None-Match', 'Respond with 304 if the user still has one of these ETags.'),
  UnlessChanged: header(
    'If-None-Match',
    'Respond with 304 if no user has changed since the response with one of these ETags.',
  ),
  Prefer: header(
    'Prefer',
    'With `handling=lenient` (RFC 7240) a query parameter that is not known is ignored, and not refused. With `handling=strict` members of a body that are not known are refused, and not ignored.',
  ),
  PreferWait: header('Prefer', 'With `wait=5` (RFC 7240, section 4.3) the call works for 5 seconds at most.'),
  UnlessMatch: header('If-None-Match', 'Write only if the user no longer has any of these ETags.'),
  UnlessMatchOrAny: header(
    'If-None-Match',
    'Write only if the user no longer has any of these ETags; `*` creates the user, and is refused (412) if there is one.',
  ),
  IdempotencyKey: header(
    'Idempotency-Key',
    'Makes it safe to send the request again within a day. Quotes around it are not a part of it.',
    { type: 'string', minLength: 1, pattern: IDEMPOTENCY_KEY },
  ),
} as const;

/** `AgeGte` for `age.gte`, unless the parameter has a key of its own. */
const componentOf = ({ name, component }: Parameter): string =>
  component ?? name.replaceAll(/(?:^|\.)(\w)/g, (_, letter) => letter.toUpperCase());

function described({ name, says, schema, several, most, isRequired }: Parameter) {
  const own = orReference(schema);
  // The name of an object is not sent.
  if (several === 'members')
    return { name: name.split('.')[0], in: 'query', description: says, schema: own, style: 'form', explode: true };
  const all = several ? { type: 'array', items: own, ...(most !== undefined && { maxItems: most }) } : own;
  return {
    ...{ name, in: 'query', description: says, schema: all },
    ...(several && { style: 'form', explode: several === 'repeated' }),
    ...(isRequired && { required: true }),
  };
}

const shownOf = (parameters: readonly Parameter[]): Parameter[] => parameters.filter(({ isHidden }) => !isHidden);

/** The components of some query parameters, by the names of their references. */
export const queryComponents = (parameters: readonly Parameter[]) =>
  Object.fromEntries(shownOf(parameters).map((each) => [componentOf(each), described(each)]));

const refOf = (component: string) => ({ $ref: `#/components/parameters/${component}` });

export const queryRefs = (parameters: readonly Parameter[]) => shownOf(parameters).map(componentOf).map(refOf);

export const parameterRefs = (names: readonly (keyof typeof PATH_PARAMETERS | keyof typeof HEADER_PARAMETERS)[]) =>
  names.map(refOf);
