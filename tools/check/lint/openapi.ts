/** Checks docs/openapi.json by the strictest rules that Redocly recommends. */
import { createConfig, formatProblems, getTotals, lint } from '@redocly/openapi-core';

/** An id is digits, so no request is meant by both `/users/edits/{edit}` and `/users/{id}/changes`: API Gateway takes the static part first. */
const rules = { 'no-ambiguous-paths': 'off' } as const;

const config = await createConfig({ extends: ['recommended-strict'], rules });
const problems = await lint({ ref: 'docs/openapi.json', config });
const totals = getTotals(problems);
if (problems.length > 0) formatProblems(problems, { totals, version: '' });
process.exitCode = totals.errors > 0 ? 1 : 0;
