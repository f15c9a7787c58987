/** The working day of a support desk. The numbers of its questions are assumed; their costs are measured, with questions drawn at random. */
import type { Measurement } from './figures.ts';
import { number, table } from './markdown.ts';
import { ofStores } from './results.ts';
import type { Title } from './tables.ts';

const DRAWN: Title = 'Questions drawn at random, any page';
const WRITES: Title = 'Writes, in their requests';

const TAKES = { list: 'milliseconds', read: 'read units', patch: 'write units', create: 'write units' };
type Request = keyof typeof TAKES;

/** `times`: of each thousand users. The last two say where it is recorded what it takes. */
type Work = readonly [does: string, times: number, is: Request, title: Title, line: string];

const DESK: readonly Work[] = [
  ['finds a user by three letters or more of the last name', 50, 'list', DRAWN, 'three letters or more'],
  ['finds a user by two letters', 10, 'list', DRAWN, 'two letters'],
  ['finds a user of a status by letters', 20, 'list', DRAWN, 'letters and a status'],
  ['sorts the users of a status', 20, 'list', DRAWN, 'a status'],
  ['lists the users of a status in a country', 10, 'list', DRAWN, 'a status and a country'],
  ['lists users by days, ages, or the beginning of a name or e-mail', 12, 'list', DRAWN, 'a range or a prefix'],
  ['lists such users of a status', 8, 'list', DRAWN, 'a range and a status'],
  ['counts users by status and country', 6, 'list', 'Chosen questions', 'counts by status and country'],
  ['opens a user', 110, 'read', 'Warm requests', 'a user by id: read units'],
  ['changes a user', 25, 'patch', WRITES, 'patch of the age'],
  ['changes the status or country of a user, which indexes have', 20, 'patch', WRITES, 'patch of the country'],
  ['creates a user', 5, 'create', WRITES, 'create'],
];

export const WORKING_DAYS = 22;

const recordedOf = ([, , , title, line]: Work, { tables }: Measurement): number => {
  const figure = tables[title]?.[line];
  return figure?.median ?? figure?.one ?? 0;
};

/** The sum over all work of a kind in a month, for each user. */
const monthly = (kind: Request, of: (work: Work) => number): number =>
  DESK.filter(([, , is]) => is === kind).reduce((sum, work) => sum + work[1] * of(work), 0) * (WORKING_DAYS / 1_000);

/** How many requests of a kind a desk makes in a month, for each user. */
export const requestsOf = (kind: Request): number => monthly(kind, () => 1);

/** The costs of its requests of a kind in a month, for each user: of lists milliseconds of processor time, of others units. */
export const unitsOf = (kind: Request, measured: Measurement): number =>
  monthly(kind, (work) => recordedOf(work, measured));

/** The table of bench/README.md. */
export function deskTable(measurements: readonly Measurement[]): string {
  const measured = ofStores(measurements).filter(({ users }) => users >= 10_000);
  const rows = DESK.map((work) => {
    const [does, times, is] = work;
    return [does, number(times), TAKES[is], ...measured.map((each) => number(recordedOf(work, each)))];
  });
  return table(['The desk', 'times a day', 'takes', ...measured.map(({ users }) => `${number(users)} users`)], rows);
}
