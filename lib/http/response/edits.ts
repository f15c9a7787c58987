import type { APIGatewayProxyResult } from 'aws-lambda';
import { type EditPreview, type EditResult, type EditState, MAX_FAILURES } from '../../../schemas/edits.ts';
import type { EditState as Begun, EditReport } from '../../edits/log.ts';
import type { Preview } from '../../edits/preview.ts';
import { ok } from '../../rest/index.ts';
import { changedFields } from './changes.ts';

export function okPreview(found: Preview): APIGatewayProxyResult {
  const examples = found.examples.flatMap(({ before, after }) => {
    const user = before ?? after;
    const changed = { before: changedFields(before, after), after: changedFields(after, before) };
    return user ? [{ id: user.id, name: user.name, ...changed }] : [];
  });
  const preview: EditPreview = { ...found, examples };
  return ok(preview);
}

const progressOf = ({ changed, unchanged, failed, left }: Omit<EditReport, 'edit'>): Omit<EditResult, 'edit'> => ({
  changed,
  unchanged,
  failed: failed.slice(0, MAX_FAILURES),
  left,
});

export const okEdit = (report: EditReport): APIGatewayProxyResult => ok({ edit: report.edit, ...progressOf(report) });

export function okEditState({ edit, at, by, ...report }: Begun): APIGatewayProxyResult {
  const begun = { edit, at: new Date(at).toISOString(), ...(by !== undefined && { by }) };
  const state: EditState = { ...begun, ...progressOf(report) };
  return ok(state);
}
