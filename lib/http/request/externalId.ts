import type { UserInput } from '../../../schemas/user.ts';
import { badParameter } from '../../users/errors.ts';
import { checkUser } from './userBody.ts';

/** @throws {ServiceError} 400 when no user can have this external id, or the body has another one */
export function withExternalId(body: UserInput, externalId: unknown): UserInput {
  if ((body.externalId ?? externalId) !== externalId)
    throw badParameter('The user must have the externalId that is asked for, or none');
  return checkUser({ ...body, externalId });
}
