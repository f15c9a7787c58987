import type { APIGatewayProxyResult } from 'aws-lambda';
import { type EditPreview, type EditResult, MAX_FAILURES } from '../../../schemas/edits.ts';
import type { EditReport } from '../../edits/log.ts';
import type { Preview } from '../../edits/preview.ts';
import { ok } from '../../rest/index.ts';
import { changedFields } from './changes.ts';

export function okPreview(found: Preview): APIGatewayProxyResult {
  const examples = found.examples.map(({ before, after }) => ({
    id: before.id,
    name: before.name,
    before: changedFields(before, after),
    after: changedFields(after, before),
  }));
  const preview: EditPreview = { ...found, examples };
  return ok(preview);
}

export function okEdit(report: EditReport): APIGatewayProxyResult {
  const result: EditResult = { ...report, failed: report.failed.slice(0, MAX_FAILURES) };
  return ok(result);
}
