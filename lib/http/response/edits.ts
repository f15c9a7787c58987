import type { APIGatewayProxyResult } from 'aws-lambda';
import { type EditPreview, type EditResult, MAX_FAILURES } from '../../../schemas/edits.ts';
import type { Preview } from '../../users/edits/preview.ts';
import type { EditReport } from '../../users/edits/report.ts';
import { changedFields } from './changes.ts';
import { ok } from './responses.ts';

export function okPreview({ examples, ...numbers }: Preview): APIGatewayProxyResult {
  const shown = examples.map(({ before, after }) => ({
    id: before.id,
    before: changedFields(before, after),
    after: changedFields(after, before),
  }));
  const preview: EditPreview = {
    total: numbers.total,
    examples: shown,
    units: numbers.units,
    dollars: numbers.dollars,
  };
  return ok(preview);
}

export function okEdit(report: EditReport): APIGatewayProxyResult {
  const result: EditResult = { ...report, failed: report.failed.slice(0, MAX_FAILURES) };
  return ok(result);
}
