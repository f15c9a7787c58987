import { endpoint } from '../lib/http/api.ts';
import { readEditName, readWait } from '../lib/http/queries/user.ts';
import { okEdit } from '../lib/http/response/edits.ts';
import { failureOf, originOf } from '../lib/rest/index.ts';
import { undo } from '../lib/roots/undo.ts';

/** Gives the users of an edit back what they had before it. */
export const handler = endpoint(readEditName, async (name, event, { awsRequestId }) =>
  okEdit(await undo(name, originOf(event), (error) => failureOf(error, awsRequestId), readWait(event))),
);
