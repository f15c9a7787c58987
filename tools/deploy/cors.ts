import { ofType, type Resources } from './resource.ts';

/** The headers of these errors that scripts may read. */
const EXPOSED = 'Retry-After, WWW-Authenticate';

/**
 * Lets scripts of other origins read the errors that API Gateway makes, such as 401. Its responses cannot choose from a
 * list of origins. They contain no user data, so every origin may read them if some origin may call the API.
 *
 * @param origins as in CORS_ORIGINS: `*`, a list, or nothing for none
 */
export function openErrors(resources: Resources, origins: string): void {
  if (origins === '') return;
  const origin = origins === '*' ? "'*'" : 'method.request.header.Origin';
  for (const [, { Properties }] of ofType(resources, 'ApiGateway::GatewayResponse')) {
    Properties.ResponseParameters = {
      ...(Properties.ResponseParameters as object | undefined),
      'gatewayresponse.header.Access-Control-Allow-Origin': origin,
      'gatewayresponse.header.Access-Control-Expose-Headers': `'${EXPOSED}'`,
    };
  }
}
