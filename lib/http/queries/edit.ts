/** The inputs of endpoints of one edit: its name in the path, and how long a call may work. */
import type { APIGatewayProxyEvent } from 'aws-lambda';
import { editName } from '../../../schemas/changes.ts';
import { editNotFound } from '../../edits/log.ts';

/** The name of an edit in the path. @throws {ServiceError} 404 when no edit can have it */
export function readEditName({ pathParameters }: APIGatewayProxyEvent): string {
  const name = pathParameters?.edit ?? '';
  if (name.length > editName.maxLength || !new RegExp(editName.pattern).test(name))
    throw editNotFound(name.slice(0, editName.maxLength));
  return name;
}

/** "wait=5", the preference of a client that wants an answer within some seconds: https://www.rfc-editor.org/rfc/rfc7240#section-4.3 */
const WAIT = /(?:^|,)\s*wait\s*=\s*"?(\d{1,9})\b/i;

const SECOND_MS = 1_000;

/** How long a call of an edit works at most, in milliseconds: a second or longer. Undefined: the client says nothing of it. */
export function readWait({ headers }: APIGatewayProxyEvent): number | undefined {
  const seconds = WAIT.exec(headers.prefer ?? '')?.[1];
  return seconds === undefined ? undefined : Math.max(1, Number(seconds)) * SECOND_MS;
}
