import middy from '@middy/core';
import httpContentNegotiation from '@middy/http-content-negotiation';
import httpErrorHandler from '@middy/http-error-handler';
import httpEventNormalizer from '@middy/http-event-normalizer';
import httpHeaderNormalizer from '@middy/http-header-normalizer';
import type { APIGatewayProxyEvent, APIGatewayProxyResult, Context } from 'aws-lambda';
import { withDeadline } from '../deadline.ts';
import { logRequest } from '../log.ts';
import { metered } from '../metering.ts';
import { systemRuntime } from '../runtime.ts';
import { JSON_TYPE, PROBLEM_TYPE } from './mediaTypes.ts';
import { type BodyRules, readBody } from './request/body.ts';
import { refuseExpired } from './request/caller.ts';
import { completeEvent } from './request/events.ts';
import { showCost } from './response/cost.ts';
import { completeHeaders } from './response/headers.ts';
import { shapeErrors } from './response/problems.ts';
import { refuseReservedIds } from './routes.ts';

/** Leaves time to answer 503 before Lambda ends the function without an answer. */
const TIMEOUT_MARGIN_MS = 500;

/** All that a request does at the store has ended before it is answered 503, so that nothing is written after it. */
const DEADLINE_MARGIN_MS = TIMEOUT_MARGIN_MS + 100;

export type Handler = (event: APIGatewayProxyEvent, context: Context) => Promise<APIGatewayProxyResult>;

/** What an endpoint does with a request. */
export type Respond = Handler;

/** The same, with a body that is parsed and checked. */
export type RespondToBody<Body> = (event: APIGatewayProxyEvent, body: Body) => Promise<APIGatewayProxyResult>;

/**
 * The one stack that every handler is wrapped in. Requests pass it from top to bottom, answers and errors from bottom
 * to top: an error is first shaped, then sent. Negotiation comes before the body, so that a client that cannot read the
 * answer has nothing written for it.
 */
export function stack(respond: Respond, mediaTypes: readonly string[], rules?: BodyRules<unknown>): Handler {
  return middy<APIGatewayProxyEvent, APIGatewayProxyResult>({ timeoutEarlyInMillis: TIMEOUT_MARGIN_MS })
    .use(completeEvent())
    .use(completeHeaders())
    .use(showCost())
    .use(httpErrorHandler({ logger: false }))
    .use(shapeErrors())
    .use(refuseExpired())
    .use(httpHeaderNormalizer())
    .use(httpEventNormalizer())
    .use(
      httpContentNegotiation({
        // Whoever asks for problem details alone wants them for errors, and gets the default otherwise.
        availableMediaTypes: [...mediaTypes, PROBLEM_TYPE],
        parseCharsets: false,
        parseEncodings: false,
        parseLanguages: false,
      }),
    )
    .use(refuseReservedIds())
    .use(rules ? readBody(rules) : [])
    .handler((event, context) => respond(event, context)) as Handler;
}

/** Emulators and tests may leave it out, as middy knows too; then there is no deadline. */
const deadlineOf = (context: Partial<Context>): number =>
  systemRuntime.now() + (context.getRemainingTimeInMillis?.() ?? Number.POSITIVE_INFINITY) - DEADLINE_MARGIN_MS;

/** Ends all that the handler causes in time, meters it, and logs what it was. */
export const observed =
  (handler: Handler): Handler =>
  (event, context) =>
    metered(async (meter) => {
      const start = systemRuntime.now();
      // Of an answer that breaks off while it is sent.
      let status = 500;
      try {
        const result = await withDeadline(deadlineOf(context), () => handler(event, context));
        status = result.statusCode;
        return result;
      } finally {
        logRequest({
          requestId: context.awsRequestId,
          function: context.functionName,
          route: `${event.httpMethod} ${event.resource}`,
          status,
          milliseconds: systemRuntime.now() - start,
          meter,
        });
      }
    });

/** A Lambda handler for a request without a body. It answers one of the media types, the first unless asked for another. */
export const endpoint = (respond: Respond, mediaTypes: readonly string[] = [JSON_TYPE]): Handler =>
  observed(stack(respond, mediaTypes));

/** A Lambda handler for a request with a body. */
export const endpointWithBody = <Body>(rules: BodyRules<Body>, respond: RespondToBody<Body>): Handler =>
  observed(stack((event) => respond(event, event.body as Body), [JSON_TYPE], rules));
