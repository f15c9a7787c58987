import { type BodyRules, parseJson, readBody } from './body.ts';
import { type Handler, type InputHandler, instrumented, withMiddlewares } from './endpoint.ts';
import { MEDIA } from './mediaTypes.ts';
import type { Api } from './routes.ts';
import { type Input, takesOf } from './takes.ts';

/** Makes Lambda handlers for requests with a body, which is checked before the parameters. */
export const createEndpointWithBody =
  (api: Api) =>
  <Body, Value>(
    body: BodyRules<Body>,
    input: Input<Value>,
    handler: InputHandler<{ body: Body; parameters: Value }>,
  ): Handler => {
    const own = takesOf(input);
    const takes = {
      ...own,
      read: (event: Parameters<typeof own.read>[0]) => ({ body: readBody(event, body), parameters: own.read(event) }),
    };
    return instrumented(
      api,
      withMiddlewares(api, { parse: parseJson(body), takes, mediaTypes: [MEDIA.json] }, handler),
    );
  };
