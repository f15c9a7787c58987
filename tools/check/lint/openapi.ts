/** Checks docs/openapi.json by the strictest rules that Redocly recommends. */
import { createConfig, formatProblems, getTotals, lint } from '@redocly/openapi-core';

const config = await createConfig({ extends: ['recommended-strict'] });
const problems = await lint({ ref: 'docs/openapi.json', config });
const totals = getTotals(problems);
if (problems.length > 0) formatProblems(problems, { totals, version: '' });
process.exitCode = totals.errors > 0 ? 1 : 0;
