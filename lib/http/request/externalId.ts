import type { APIGatewayProxyEvent } from 'aws-lambda';
import type { UserInput } from '../../../schemas/user.ts';
import { badParameter } from '../../ground/index.ts';
import { takes } from '../../rest/index.ts';
import { readOptional } from './parameters.ts';
import { checkUser } from './userBody.ts';

/**
 * The external id of the user whom a PUT creates or replaces.
 *
 * @throws {ServiceError} 400 when the parameter is absent, blank or given twice
 */
function readExternalId(event: APIGatewayProxyEvent): string {
  const externalId = readOptional(event, 'externalId');
  if (externalId === undefined) throw badParameter('externalId is required: the external id of the user');
  return externalId;
}

export const externalIdQuery = takes(['externalId'], readExternalId);

/** @throws {ServiceError} 400 when no user can have this external id, or the body has another one */
export function withExternalId(body: UserInput, externalId: unknown): UserInput {
  if ((body.externalId ?? externalId) !== externalId)
    throw badParameter('The user must have the externalId that is asked for, or none');
  return checkUser({ ...body, externalId });
}
