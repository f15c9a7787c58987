import { describe, expect, test } from 'vitest';
import { isUserInput } from '../../../lib/http/request/validators.ts';
import { openApiDocument } from '../../../lib/openapi/document.ts';
import { userInput } from '../../../schemas/user.ts';

interface Schema {
  $ref?: string;
  type?: string | readonly string[];
  format?: string;
  minimum?: number;
  maximum?: number;
  properties?: object;
  anyOf?: Schema[];
  oneOf?: Schema[];
  [keyword: string]: unknown;
}

const hasType = ({ type = [] }: Pick<Schema, 'type'>, name: string): boolean => [type].flat().includes(name);

const LIMITS: Record<string, [number, number]> = {
  int32: [-(2 ** 31), 2 ** 31 - 1],
  int64: [Number.NEGATIVE_INFINITY, Number.POSITIVE_INFINITY],
};

/** Names that a language has for something else. */
const TAKEN = ['Error', 'Exception', 'Object', 'Response', 'Request', 'List', 'Map', 'Date', 'File', 'Type', 'Result'];

/** Faults of a schema that make generators of clients fail, or invent a type: https://github.com/OpenAPITools/openapi-generator */
function faultsOfSchema(schema: Schema, isNamed: boolean): string[] {
  const { format = 'none', minimum = Number.NEGATIVE_INFINITY, maximum = Number.POSITIVE_INFINITY } = schema;
  const branches = [schema.anyOf, schema.oneOf].flatMap((each) => each ?? []);
  const [lowest, highest] = LIMITS[format] ?? [0, -1];
  return [
    ...(branches.some(({ $ref, type }) => $ref === undefined && type === undefined) ? ['a branch without a type'] : []),
    ...(hasType(schema, 'integer') && (minimum < lowest || maximum > highest) ? [`an integer beyond ${format}`] : []),
    ...(!isNamed && (hasType(schema, 'object') || schema.properties || branches.length > 0) ? ['no name'] : []),
  ];
}

const isObject = (value: unknown): value is Schema => typeof value === 'object' && value !== null;

/** The faults of all schemas in a part of the document, with their places. */
function faultsOf(part: unknown, place = ''): string[] {
  if (!isObject(part)) return [];
  const isSchema = /\/(schema|items|(schemas|properties|[ao]n[ye]Of)\/[^/]+)$/.test(place);
  const isNamed = /\/schemas\/[^/]+$/.test(place);
  const name = isNamed && TAKEN.find((taken) => place.endsWith(`/${taken}`));
  return [
    ...(name ? [`${place}: a word of languages`] : []),
    ...(isSchema ? faultsOfSchema(part, isNamed).map((fault) => `${place}: ${fault}`) : []),
    ...Object.entries(part).flatMap(([key, value]) => faultsOf(value, `${place}/${key.replaceAll('/', '~1')}`)),
  ];
}

describe('the OpenAPI document', () => {
  test('has types for generators of clients: each object a name, each branch a type, each integer a format that it fits', () => {
    expect(faultsOf(openApiDocument({ server: '/', isProtected: true }))).toEqual([]);
  });

  test.each(Object.entries(userInput.properties))('says of %s whether it may be empty', (field, schema) => {
    expect(isUserInput({ name: 'Ann', [field]: '' })).toBe(hasType(schema, 'string') && !('minLength' in schema));
  });
});
