import type { APIGatewayProxyEvent } from 'aws-lambda';
import { type Api, routeOf } from './routes.ts';

/** The treatment of unknown parameters that a client prefers (RFC 7240, sections 2 and 4.4). The first mention counts. */
export function handlingOf({ headers }: APIGatewayProxyEvent): 'lenient' | 'strict' | undefined {
  const handling = /(?:^|,)\s*handling\s*=\s*"?(\w+)/i.exec(headers.prefer ?? '')?.[1]?.toLowerCase();
  return handling === 'lenient' || handling === 'strict' ? handling : undefined;
}

/** Says that a preference was met (RFC 7240, section 3). */
export function preferenceApplied(api: Api, event: APIGatewayProxyEvent): Record<string, string> {
  const handling = handlingOf(event);
  return handling && (handling === 'strict' || !routeOf(api, event)?.isStrict)
    ? { 'preference-applied': `handling=${handling}` }
    : {};
}
