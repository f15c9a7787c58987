import { PROBLEMS } from '../../lib/http/problems.ts';

/** Whether a request is sent again, by the status of its response. */
const AGAIN: Readonly<Record<number, string>> = {
  400: 'no',
  401: 'once, with a new token',
  403: 'no',
  404: 'no',
  405: 'no',
  406: 'no',
  409: 'not unchanged: read first; `edit-busy` after `Retry-After`',
  410: 'not unchanged: read anew',
  412: 'not unchanged: read first',
  413: 'no',
  415: 'no',
  422: 'no',
  429: 'after `Retry-After`',
  500: 'if it [may be sent twice](#when-to-try-again), after pauses that grow',
  503: 'the same, after `Retry-After`',
};

/** Answers of API Gateway itself, which have no code. */
const OF_GATEWAY: Readonly<Record<number, string>> = {
  401: 'Without a code: there is no valid token',
  429: 'Without a code: too many requests',
};

/** The rows of the table of errors in docs/client.md: each status with its codes. */
function rows(): string[] {
  const all = Object.entries(PROBLEMS);
  const statuses = [...new Set([...all.map(([, { status }]) => status), ...Object.keys(OF_GATEWAY).map(Number)])];
  return statuses
    .sort((a, b) => a - b)
    .map((status) => {
      const told = all.flatMap(([code, problem]) =>
        problem.status === status ? [`\`${code}\`: ${problem.meaning}`] : [],
      );
      const again = AGAIN[status];
      if (again === undefined) throw new Error(`AGAIN of tools/check/problems.ts lacks ${status}`);
      return `| ${status} | ${[OF_GATEWAY[status] ?? [], ...told].flat().join('<br>')} | ${again} |`;
    });
}

/** A page with the table of errors between its markers. @throws {Error} where it has none */
export function withProblems(page: string): string {
  const [before, , after] = page.split(/(?<=<!-- problems -->\n)(.*)(?=\n<!-- \/problems -->)/s);
  if (before === undefined || after === undefined) throw new Error('The page has no place for the table of errors');
  return [before, ['| Status | Codes | Send it again? |', '|--:|---|---|', ...rows()].join('\n'), after].join('');
}
