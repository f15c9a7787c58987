import { type Query, query as queryOf } from '../http/parameters/parameter.ts';
import { nothing } from '../rest/index.ts';
import type { OperationDescription } from './description.ts';
import { queryComponents } from './parameters.ts';
import { withNames } from './schemas.ts';

/** A description as the document needs it. */
export interface Described extends OperationDescription {
  query: Query;
  /** Its query parameters by the names of their references. */
  components: Readonly<Record<string, object>>;
  /** Its own schemas by their names. */
  named: Readonly<Record<string, unknown>>;
}

interface Response {
  content?: Record<string, { schema: { $ref?: string }; example?: unknown }>;
}

/** Its responses, with examples of its own schemas. */
function responsesOf({ responses, schemas = {} }: OperationDescription): OperationDescription['responses'] {
  const contents = Object.values(responses).flatMap(({ content = {} }: Response) => Object.values(content));
  for (const media of contents) {
    const own = schemas[media.schema.$ref?.split('/').at(-1) ?? ''];
    if (own) media.example = own.example;
  }
  return responses;
}

function described(about: () => OperationDescription): Described {
  const description = about();
  const { query = [], schemas = {} } = description;
  const asked = 'read' in query ? query : queryOf(query, nothing);
  const named = withNames(schemas);
  return {
    ...description,
    responses: responsesOf(description),
    query: asked,
    components: queryComponents(asked.parameters),
    named,
  };
}

/** All descriptions, by the names of their endpoints. */
export const allDescribed = (all: Readonly<Record<string, () => OperationDescription>>) =>
  Object.fromEntries(Object.entries(all).map(([name, about]) => [name, described(about)]));
