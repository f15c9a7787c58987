import { endpointWithBody } from '../lib/http/api.ts';
import { readEditName, readWait } from '../lib/http/queries/user.ts';
import { undoBody } from '../lib/http/request/undo.ts';
import { okEdit, okPreview } from '../lib/http/response/edits.ts';
import { failureOf, originOf } from '../lib/rest/index.ts';
import { undo, undoPreview } from '../lib/roots/undo.ts';

/** Gives the users of an edit back what they had before it, or says what would happen. */
export const handler = endpointWithBody(
  undoBody,
  readEditName,
  async ({ body: { dryRun, atMost }, parameters: name }, event, { awsRequestId }) => {
    if (dryRun) return okPreview(await undoPreview(name));
    const options = { atMost: atMost ?? undefined, withinMs: readWait(event) };
    return okEdit(await undo(name, originOf(event), (error) => failureOf(error, awsRequestId), options));
  },
);
