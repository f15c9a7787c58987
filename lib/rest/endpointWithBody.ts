import { type BodyRules, parseJson, readBody } from './body.ts';
import { type Handler, type InputHandler, instrumented, type Reader, withMiddlewares } from './endpoint.ts';
import { JSON_TYPE } from './mediaTypes.ts';

/** A Lambda handler for requests with a body, which is checked before the parameters. */
export function endpointWithBody<Body, Parameters>(
  body: BodyRules<Body>,
  parameters: Reader<Parameters>,
  handler: InputHandler<{ body: Body; parameters: Parameters }>,
): Handler {
  const read: Reader<{ body: Body; parameters: Parameters }> = (event) => ({
    body: readBody(event, body),
    parameters: parameters(event),
  });
  return instrumented(withMiddlewares({ parse: parseJson(body), read, mediaTypes: [JSON_TYPE] }, handler));
}
