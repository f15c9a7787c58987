import { endpointWithBody } from '../lib/http/api.ts';
import { editQuery } from '../lib/http/queries/lists.ts';
import { editBody, toEdit } from '../lib/http/request/edit.ts';
import { okEdit, okPreview } from '../lib/http/response/edits.ts';
import { failureOf } from '../lib/rest/index.ts';
import { edits } from '../lib/roots/edits.ts';

export { started } from '../lib/roots/listing.ts';

/** Changes or deletes all users who match, or says what would happen. */
export const handler = endpointWithBody(editBody, editQuery, async ({ body, parameters }, _, { awsRequestId }) => {
  const edit = toEdit(body, parameters);
  if (body.dryRun) return okPreview(await edits.preview(edit));
  return okEdit(await edits.run(edit, (error) => failureOf(error, awsRequestId)));
});
