import type { ErrorObject, ValidateFunction } from 'ajv';
import { BLANK, PRINTABLE_AND_NOT_BLANK, wellFormed } from '../../../schemas/limits.ts';
import type { Failure } from '../../ground/index.ts';
import { userError } from '../../users/errors.ts';
import { GIVEN } from '../../users/user.ts';
import { memberMeant, similarTo } from '../hints.ts';

type Params = Record<string, unknown>;

const NO_NAME = 'Name is required';

/** The messages that the contract fixes, and that of a name, by field and failing keyword. `*` stands for every other keyword. */
const CONTRACT_MESSAGES: Record<string, Record<string, string | ((params: Params) => string)>> = {
  name: { required: NO_NAME, minLength: NO_NAME },
  email: { '*': 'Email must be valid' },
  age: { maximum: ({ limit }) => `Age must be at most ${limit}`, '*': 'Age must be positive' },
  edit: { pattern: 'edit must be the name that an earlier call has returned' },
};

const SHOWS_NOTHING = new RegExp(BLANK, 'u');

/** Text has a format. A JSON Pointer has none. */
function patternRule(error: ErrorObject): string {
  if (!error.parentSchema?.format) return 'must be a JSON Pointer (RFC 6901)';
  const isBlank = error.params.pattern === PRINTABLE_AND_NOT_BLANK && SHOWS_NOTHING.test(String(error.data));
  return isBlank ? 'must have a character that shows something' : wellFormed(error.parentSchema.maxLength);
}

/** The rule for an attribute, as messages say it. */
const VALUES = 'must be a text, a number that is exact, true, false, or an array of texts';

const articled = (noun: unknown): string => `${/^[aio]/.test(String(noun)) ? 'an' : 'a'} ${noun}`;

const membersOf = (schema: ErrorObject['parentSchema']): Record<string, ErrorObject['parentSchema']> =>
  schema?.properties ?? {};

/** A member that nothing would come of, with the one that is meant: it may be one of a member. */
function unknownRule({ params, parentSchema }: ErrorObject): string {
  const name = String(params.additionalProperty);
  const known = membersOf(parentSchema);
  if ('attributes' in known && GIVEN.includes(name)) return 'is given by the service, and cannot be changed';
  const within = Object.entries(known).map(([outer, inner]) => {
    const similar = similarTo(name, Object.keys(membersOf(inner)));
    return similar && `is ${outer}.${similar} meant?`;
  });
  const meant = memberMeant(name, Object.keys(known)) ?? within.find(Boolean);
  return meant ? `is not known: ${meant}` : 'is not known';
}

const DEFAULT_MESSAGES: Record<string, (error: ErrorObject) => string> = {
  type: ({ params }) => ([params.type].flat().length > 2 ? VALUES : `must be ${articled([params.type].flat()[0])}`),
  required: () => 'is required',
  additionalProperties: unknownRule,
  enum: () => 'is not known',
  discriminator: ({ params }) => (params.tagValue === undefined ? 'is required' : 'is not known'),
  pattern: patternRule,
  minLength: () => 'must not be empty',
  maxLength: ({ params }) => `must be at most ${params.limit} characters long`,
  minimum: ({ params }) => `must be at least ${params.limit}`,
  maximum: ({ params }) => `must be at most ${params.limit}`,
  maxProperties: ({ params }) => `must have at most ${params.limit} members`,
  minItems: () => 'must not be empty',
  minProperties: () => 'must not be empty',
  maxItems: ({ params }) => `must have at most ${params.limit} texts`,
  uniqueItems: () => 'must not have the same text twice',
  propertyNames: () => 'is not a name of an attribute: a letter, then at most 62 letters, digits, - or _',
  format: ({ parentSchema }) => wellFormed(parentSchema?.maxLength),
};

/** A member by its name (RFC 6901, section 3). */
export const within = (pointer: string, name: string): string =>
  `${pointer}/${name.replaceAll('~', '~0').replaceAll('/', '~1')}`;

function pointerOf({ keyword, instancePath, params }: ErrorObject): string {
  const { missingProperty: required, propertyName: propertyNames, additionalProperty: additionalProperties } = params;
  const name = { required, propertyNames, additionalProperties, discriminator: params.tag }[keyword];
  return name === undefined ? instancePath : within(instancePath, name);
}

const fieldOf = (error: ErrorObject): string => pointerOf(error).slice(1);

/** As much of a member's name as a message repeats. An attribute's is shorter. */
const MOST_NAMED = 90;

/** A failing member as people read it. The operations of a JSON Patch have numbers. */
const nameOf = (field: string): string =>
  field
    .replace(/^(\d+)(\/)?/, (_, index, hasMember) => `operation ${index}${hasMember ? ': ' : ''}`)
    .slice(0, MOST_NAMED)
    .replaceAll('/', '.')
    .toWellFormed();

/** A required member that is null or blank counts as missing. */
const isMissing = ({ keyword, data }: ErrorObject): boolean =>
  (keyword === 'type' && data === null) || (keyword !== 'type' && typeof data === 'string' && SHOWS_NOTHING.test(data));

/** Forms send an empty text for a field that was cleared. */
const isCleared = ({ data, parentSchema }: ErrorObject): boolean =>
  typeof data === 'string' && SHOWS_NOTHING.test(data) && [parentSchema?.type].flat().includes('null');

function ruleOf(error: ErrorObject): string {
  const field = fieldOf(error);
  if (field === '') return `Request body must be a JSON ${error.params.type ?? 'object'}`;
  const inContract = CONTRACT_MESSAGES[field];
  const message = inContract?.[isMissing(error) ? 'required' : error.keyword] ?? inContract?.['*'];
  if (message !== undefined) return typeof message === 'string' ? message : message(error.params);
  return `${nameOf(field)} ${DEFAULT_MESSAGES[error.keyword]?.(error) ?? error.message}`;
}

/** The kind of JSON that a field of the contract has, of which its message does not tell: `"30"` is no number. */
function kindWanted({ keyword, params, data }: ErrorObject): string {
  const [kind] = [params.type].flat();
  if (keyword !== 'type' || data === null || !['integer', 'number', 'string'].includes(kind)) return '';
  return `: ${kind === 'string' ? 'a text in quotes' : 'a whole number without quotes'} is wanted`;
}

/** For problem details: beside it, the message of a rule says nothing. */
function detailOf(error: ErrorObject): string {
  const rule = ruleOf(error);
  if (isCleared(error)) return `${rule}: null takes a value away`;
  const field = fieldOf(error);
  const isOfAll = Object.hasOwn(CONTRACT_MESSAGES, field) && CONTRACT_MESSAGES[field]?.['*'] !== undefined;
  return isOfAll ? rule + kindWanted(error) : rule;
}

/** In the order of the fields in the schema: ajv reports missing members first. */
function inOrder(errors: readonly ErrorObject[]): ErrorObject[] {
  const missing = errors.find(({ keyword, instancePath }) => keyword === 'required' && instancePath === '');
  const fields = Object.keys(missing?.parentSchema?.properties ?? {});
  const placeOf = (error: ErrorObject): number => fields.indexOf(fieldOf(error).split('/', 1)[0] ?? '');
  return errors.toSorted((a, b) => placeOf(a) - placeOf(b));
}

/** The most failures in a problem. Of more, most are the same mistake: tens of thousands fit into a body, and the last field has them. */
const MOST_ERRORS = 500;

/** Each once. */
const distinct = (failures: readonly Failure[]): Failure[] => [
  ...new Map(failures.map((failure) => [`${failure.pointer} ${failure.detail}`, failure])).values(),
];

/**
 * Makes a function that returns its argument when it conforms.
 *
 * @throws {ServiceError} 400 with the message of the first failing field, in the order of the schema
 */
export const createValidator =
  <Value>(conforms: ValidateFunction<Value>) =>
  (value: unknown): Value => {
    if (conforms(value)) return value;
    // The rules for a name are those of `propertyNames`, which has an error of its own.
    const failing = (conforms.errors ?? []).filter(({ propertyName }) => propertyName === undefined);
    const errors = inOrder(failing.slice(0, MOST_ERRORS));
    const failures = distinct(errors.map((error) => ({ detail: detailOf(error), pointer: pointerOf(error) })));
    const message = errors[0] ? ruleOf(errors[0]) : 'Request is not valid';
    throw userError('validation', message, { failures, detail: failures[0]?.detail });
  };
