import { type BodyRules, parseJson, readBody } from './body.ts';
import { type Handler, type InputHandler, instrumented, withMiddlewares } from './endpoint.ts';
import { withIgnored } from './ignored.ts';
import { MEDIA } from './mediaTypes.ts';
import type { Api } from './routes.ts';
import { type Input, takesOf } from './takes.ts';

/** Makes Lambda handlers for requests with a body, which is checked before the parameters. */
export const createEndpointWithBody =
  (api: Api) =>
  <Body, Value>(
    rules: BodyRules<Body>,
    input: Input<Value>,
    handler: InputHandler<{ body: Body; parameters: Value }>,
  ): Handler => {
    const own = takesOf(input);
    const takes = {
      ...own,
      read: (event: Parameters<typeof own.read>[0]) => ({ ...readBody(event, rules), parameters: own.read(event) }),
    };
    const contract = { parse: parseJson(rules), takes, mediaTypes: [MEDIA.json] };
    return instrumented(
      api,
      withMiddlewares(api, contract, async ({ ignored, ...given }, event, context) =>
        withIgnored(await handler(given, event, context), ignored),
      ),
    );
  };
