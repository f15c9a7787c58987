import middy, { type MiddlewareObj } from '@middy/core';
import httpErrorHandler from '@middy/http-error-handler';
import type { APIGatewayProxyEvent, APIGatewayProxyResult, Context } from 'aws-lambda';
import { metered, systemRuntime, withDeadline } from '../ground/index.ts';
import { callerOf, refuseExpiredTokens, refuseMissingScopes } from './caller.ts';
import { complete, isOfRestApi, refuseOtherEvents } from './events.ts';
import { completeHeaders } from './headers.ts';
import { refuseUnknown } from './knownParameters.ts';
import { MEDIA, refuseUnacceptable } from './mediaTypes.ts';
import { logRequest } from './metrics.ts';
import { shapeErrors } from './problems.ts';
import { type Api, refuseOtherPaths, routeOf } from './routes.ts';
import { type Input, type Takes, takesOf } from './takes.ts';
import { refuseTexts } from './texts.ts';

/** Leaves time to send a 503 before Lambda ends the function without a response. */
const TIMEOUT_MARGIN_MS = 500;

/** Calls to DynamoDB end before the 503 is sent, so nothing is written after it. */
const DEADLINE_MARGIN_MS = TIMEOUT_MARGIN_MS + 100;

export type Handler<Result = APIGatewayProxyResult> = (
  event: APIGatewayProxyEvent,
  context: Context,
) => Promise<Result>;

/** A handler that gets what was checked and typed, together with the event. */
export type InputHandler<Input, Result = APIGatewayProxyResult> = (
  input: Input,
  event: APIGatewayProxyEvent,
  context: Context,
) => Promise<Result>;

/** The contract of an endpoint: the input that it takes, and the response that it sends. */
interface Contract<Value, Result> {
  /** The middleware that puts the parsed body into its place. Absent if the endpoint takes no body. */
  parse?: MiddlewareObj<APIGatewayProxyEvent, Result>;
  takes: Takes<Value>;
  /** The types of its responses. The first is the default. None if they have no content. */
  mediaTypes: readonly string[];
}

/**
 * Wraps a handler in the one stack of middlewares. A request passes them from top to bottom, a response or an error from
 * bottom to top. `shapeErrors` gives an error its shape before `httpErrorHandler` sends it. `parse` and `takes.read`, which
 * runs the validators of ajv, leave the handler what is valid. Negotiation comes before them: a client that cannot read the
 * response (406) must not cause a write.
 */
export function withMiddlewares<Value, Result>(
  api: Api,
  { parse, takes, mediaTypes }: Contract<Value, Result>,
  handler: InputHandler<Value, Result>,
): Handler<Result> {
  return middy<APIGatewayProxyEvent, Result>({ timeoutEarlyInMillis: TIMEOUT_MARGIN_MS })
    .use(completeHeaders(api))
    .use(httpErrorHandler({ logger: false }))
    .use(shapeErrors())
    .before(({ event, context }) => {
      refuseOtherEvents(event);
      const route = routeOf(api, event, context.functionName);
      refuseExpiredTokens(event);
      refuseMissingScopes(api, route, event);
      refuseTexts(event);
      refuseUnacceptable(event, mediaTypes);
      refuseOtherPaths(api, event);
      refuseUnknown(api, route, takes, event);
    })
    .use(parse ?? [])
    .handler((event, context) => handler(takes.read(event), event, context));
}

/** Emulators and tests may have a context without a remaining time. Then there is no deadline. middy allows that, too. */
const deadlineOf = (context: Partial<Context>): number =>
  systemRuntime.now() + (context.getRemainingTimeInMillis?.() ?? Number.POSITIVE_INFINITY) - DEADLINE_MARGIN_MS;

/** Gives a handler a complete event, a deadline and a meter, and logs one line per request. */
export const instrumented =
  (api: Api, handler: Handler): Handler =>
  (given, context) =>
    metered(async (meter) => {
      const event = complete(given);
      const start = systemRuntime.now();
      // Stays 500 when a streamed response breaks off.
      let status = 500;
      try {
        const result = await withDeadline(deadlineOf(context), () => handler(event, context));
        status = result.statusCode;
        return result;
      } finally {
        logRequest(api.namespace, {
          requestId: context.awsRequestId,
          function: context.functionName,
          route: isOfRestApi(event) ? `${event.httpMethod} ${event.resource}` : 'none',
          status,
          by: callerOf(event),
          milliseconds: systemRuntime.now() - start,
          isTimed: !routeOf(api, event, context.functionName)?.isUntimed,
          meter,
        });
      }
    });

/**
 * Makes Lambda handlers for requests without a body. Each can send some media types; the first is the default. Without any, responses have no
 * content: whatever a client accepts, there is nothing that it could not read.
 */
export const createEndpoint =
  (api: Api) =>
  <Value>(input: Input<Value>, handler: InputHandler<Value>, mediaTypes: readonly string[] = [MEDIA.json]): Handler =>
    instrumented(api, withMiddlewares(api, { takes: takesOf(input), mediaTypes }, handler));
