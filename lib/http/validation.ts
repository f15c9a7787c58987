import type { ErrorObject, ValidateFunction } from 'ajv';
import { type Failure, ServiceError } from '../errors.ts';

type Params = Record<string, unknown>;

/** The words of the contract, by field and failing keyword; `*` is every other keyword. */
const CONTRACT_MESSAGES: Record<string, Record<string, string | ((params: Params) => string)>> = {
  name: { required: 'Name is required', pattern: 'Name is required' },
  email: { '*': 'Email must be valid' },
  age: { maximum: ({ limit }) => `Age must be at most ${limit}`, '*': 'Age must be positive' },
};

const DEFAULT_MESSAGES: Record<string, (params: Params) => string> = {
  type: () => 'must be a string',
  minLength: () => 'must not be empty',
  maxLength: ({ limit }) => `must be at most ${limit} characters long`,
  format: () => 'must be well-formed text of at most 200 characters (in Unicode NFC), without control characters',
};

const fieldOf = ({ keyword, instancePath, params }: ErrorObject): string =>
  keyword === 'required' ? String(params.missingProperty) : instancePath.slice(1);

function messageOf(error: ErrorObject): string {
  const field = fieldOf(error);
  if (field === '') return `Request body must be a JSON ${error.params.type ?? 'object'}`;
  const inContract = CONTRACT_MESSAGES[field];
  // For a required member null is what a missing one is.
  const keyword = error.keyword === 'type' && error.data === null ? 'required' : error.keyword;
  const message = inContract?.[keyword] ?? inContract?.['*'];
  if (message !== undefined) return typeof message === 'string' ? message : message(error.params);
  return `${field} ${DEFAULT_MESSAGES[error.keyword]?.(error.params) ?? error.message}`;
}

const toFailure = (error: ErrorObject): Failure => ({
  detail: messageOf(error),
  pointer: error.keyword === 'required' ? `/${fieldOf(error)}` : error.instancePath,
});

/** ajv reports missing members first; clients are told about fields in the order of the schema that they are missing from. */
function inOrder(errors: readonly ErrorObject[]): ErrorObject[] {
  const missing = errors.find(({ keyword, instancePath }) => keyword === 'required' && instancePath === '');
  const fields = Object.keys(missing?.parentSchema?.properties ?? {});
  return errors.toSorted((a, b) => fields.indexOf(fieldOf(a)) - fields.indexOf(fieldOf(b)));
}

/**
 * A function that gives back its argument when it conforms.
 *
 * @throws {ServiceError} 400 with the message of the first field, in the order of the schema, that fails
 */
export const createValidator =
  <Value>(conforms: ValidateFunction<Value>) =>
  (value: unknown): Value => {
    if (conforms(value)) return value;
    const failures = inOrder(conforms.errors ?? []).map(toFailure);
    throw new ServiceError(400, failures[0]?.detail ?? 'Request is not valid', { failures });
  };
