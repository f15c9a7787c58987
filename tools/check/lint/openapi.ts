/** Checks docs/openapi.json by the rules of redocly.yaml. */
import { formatProblems, getTotals, lint, loadConfig } from '@redocly/openapi-core';

const config = await loadConfig();
const problems = await lint({ ref: 'docs/openapi.json', config });
const totals = getTotals(problems);
if (problems.length > 0) formatProblems(problems, { totals, version: '' });
process.exitCode = totals.errors > 0 ? 1 : 0;
