import type { APIGatewayProxyEvent } from 'aws-lambda';
import type { PastQuery } from '../../changes/past.ts';
import { badParameter, systemRuntime } from '../../ground/index.ts';
import { takes } from '../../rest/index.ts';
import { readMembers, type Shows } from '../members.ts';
import { MOMENT_RULE, parseMoment } from '../moments.ts';
import { readId } from './id.ts';
import { readOptional } from './parameters.ts';

/** A user, perhaps as of a moment. @throws {ServiceError} 400 for an id or an `at` that is not valid, 404 for an id that no user can have */
function readUserQuery(event: APIGatewayProxyEvent): Partial<PastQuery> & Pick<PastQuery, 'id'> & Shows {
  const id = readId(event);
  const at = readOptional(event, 'at');
  const moment = at === undefined ? at : parseMoment(at, systemRuntime.now());
  if (at !== undefined && moment === undefined) throw badParameter(`at ${MOMENT_RULE}`);
  return { id, ...readMembers(event), ...(moment !== undefined && { moment }) };
}

export const userQuery = takes(['at', 'fields'], readUserQuery);
