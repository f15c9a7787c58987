import { type Query, query as queryOf } from '../http/parameters/parameter.ts';
import { nothing } from '../rest/index.ts';
import type { OperationDescription } from './description.ts';
import { queryComponents } from './parameters.ts';

/** A description as the document needs it. */
export interface Described extends OperationDescription {
  query: Query;
  /** Its query parameters by the names of their references. */
  components: Readonly<Record<string, object>>;
}

function described(about: () => OperationDescription): Described {
  const description = about();
  const { query = [] } = description;
  const asked = 'read' in query ? query : queryOf(query, nothing);
  return { ...description, query: asked, components: queryComponents(asked.parameters) };
}

/** All descriptions, by the names of their endpoints. */
export const allDescribed = (all: Readonly<Record<string, () => OperationDescription>>) =>
  Object.fromEntries(Object.entries(all).map(([name, about]) => [name, described(about)]));
