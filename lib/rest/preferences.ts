import type { APIGatewayProxyEvent } from 'aws-lambda';
import { routeOf } from '../http/routes.ts';

/** An edit without a filter that was meant would change everybody. */
export const ALWAYS_STRICT: readonly unknown[] = ['editUsers', 'undoEdit'];

/** Whether a request is refused for whatever is not known. */
export const isStrict = (event: APIGatewayProxyEvent, functionName?: string): boolean =>
  ALWAYS_STRICT.includes(routeOf(event, functionName)?.operation);

/** What a client prefers to happen to what is not known (RFC 7240, sections 2 and 4.4). The first mention counts. */
export function handlingOf({ headers }: APIGatewayProxyEvent): 'lenient' | 'strict' | undefined {
  const handling = /(?:^|,)\s*handling\s*=\s*"?(\w+)/i.exec(headers.prefer ?? '')?.[1]?.toLowerCase();
  return handling === 'lenient' || handling === 'strict' ? handling : undefined;
}

/** Says that a preference was met (RFC 7240, section 3). */
export function preferenceApplied(event: APIGatewayProxyEvent): Record<string, string> {
  const handling = handlingOf(event);
  return handling && (handling === 'strict' || !isStrict(event))
    ? { 'preference-applied': `handling=${handling}` }
    : {};
}
