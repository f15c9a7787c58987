import { Ajv2020 } from 'ajv/dist/2020.js';
import { describe, expect, test } from 'vitest';
import { openApiDocument } from '../../../lib/openapi/document.ts';

interface MediaType {
  schema: object;
  example?: unknown;
}

const document = openApiDocument({ server: '/', isProtected: true });

/** The media types in a part of the document, by their places. */
function mediaTypesIn(part: unknown, place = ''): [place: string, media: MediaType][] {
  if (typeof part !== 'object' || part === null) return [];
  return Object.entries(part).flatMap(([key, value]) =>
    key.includes('/') && place.endsWith('/content')
      ? [[`${place}/${key}`, value as MediaType]]
      : mediaTypesIn(value, `${place}/${key}`),
  );
}

/** Pages, their files, and this document. */
const HAS_NONE = /\/api\/(docs|admin|openapi)/;

const ALL = mediaTypesIn(document).filter(([place]) => !HAS_NONE.test(place));

describe('a media type of the OpenAPI document', () => {
  test('has an example', () => {
    expect(ALL.length).toBeGreaterThan(40);
    expect(ALL.flatMap(([place, { example }]) => (example === undefined ? [place] : []))).toEqual([]);
  });

  test('has one that is valid', () => {
    // Formats are of the service's own making: it takes what is sent, as another test sees.
    const ajv = new Ajv2020({ strict: false, validateFormats: false }).addSchema(document, 'document');
    const faults = ALL.flatMap(([place, { schema, example }]) => {
      const text = JSON.stringify(schema).replaceAll('"#/', '"document#/');
      return ajv.validate(JSON.parse(text), example) ? [] : [`${place}: ${ajv.errorsText()}`];
    });
    expect(faults).toEqual([]);
  });
});
