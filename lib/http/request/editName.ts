import type { APIGatewayProxyEvent } from 'aws-lambda';
import { editName } from '../../../schemas/changes.ts';
import { editNotFound } from '../../edits/log.ts';

const NAME = new RegExp(editName.pattern);

/** The name of an edit in the path. @throws {ServiceError} 404 when no edit can have it */
export function readEditName({ pathParameters }: APIGatewayProxyEvent): string {
  const name = pathParameters?.edit ?? '';
  if (name.length > editName.maxLength || !NAME.test(name)) throw editNotFound(name.slice(0, editName.maxLength));
  return name;
}
