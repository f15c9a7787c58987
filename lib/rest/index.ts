export type { BodyRules } from './body.ts';
export { callerOf, originOf } from './caller.ts';
export {
  type Asked,
  checkPreconditions,
  checkUpsert,
  etagOf,
  isNotModified,
  matchesWeakly,
  mustCreate,
  preconditionFailed,
  refuseIfMatch,
} from './conditional.ts';
export { isDeeperThan, MAX_DEPTH } from './depth.ts';
export { createEndpoint, NO_CONTENT } from './endpoint.ts';
export { createEndpointWithBody } from './endpointWithBody.ts';
export { httpError, PROBLEMS, typeOf } from './errors.ts';
export { createFallback } from './fallback.ts';
export { shown } from './knownParameters.ts';
export {
  ACCEPT_PATCH,
  CSV_TYPE,
  chosenType,
  HTML_TYPE,
  JSON_PATCH_TYPE,
  JSON_TYPE,
  MERGE_PATCH_TYPE,
  NDJSON_TYPE,
  PROBLEM_TYPE,
} from './mediaTypes.ts';
export { METRICS } from './metrics.ts';
export { failureOf } from './problems.ts';
export { basePathOf, json, noContent, ok, okText, pathOf } from './responses.ts';
export { type Api, needsToken, type Route } from './routes.ts';
export { createScheduled } from './scheduled.ts';
export { createStreamingEndpoint, type StreamedResult } from './streaming.ts';
export { nothing, type Takes, takes } from './takes.ts';
