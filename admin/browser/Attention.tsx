import { MAX_FILTER_VALUES } from '../../schemas/limits.ts';
import { type Page, read, type ValueCounts } from './connection.ts';
import { ATTRIBUTE, type Filters } from './filters.ts';
import { Icon, type Sign } from './icons.tsx';
import { shared } from './state.ts';
import { numberOf } from './time.ts';
import { useReading } from './useReading.tsx';
import { listAddress } from './view.ts';

/** Attributes that say when somebody was last here. */
const SEEN = ['lastSeen', 'lastLogin', 'lastSignIn'];

interface Line {
  sign: Sign;
  text: string;
  filters: Filters;
  /** The order of its list. */
  sort?: string[];
}

const LINES: readonly Line[] = [
  { sign: 'mail', text: 'Without e-mail', filters: { 'email.missing': ['true'] } },
  ...SEEN.map(
    (name): Line => ({
      ...{ sign: 'clock', text: 'Not signed in for 60 days', filters: { [`${ATTRIBUTE + name}.lt`]: ['-P60D'] } },
      sort: [ATTRIBUTE + name],
    }),
  ),
  {
    ...{ sign: 'waiting', text: 'Pending for more than 14 days' },
    filters: { status: ['pending'], 'createdAt.lt': ['-P14D'] },
    sort: ['createdAt'],
  },
];

interface Found extends Line {
  count: number;
  isMore?: boolean;
}

/** E-mails that more than one user has. Of very many the list has the first. */
async function duplicates(signal: AbortSignal): Promise<Found> {
  const { counts, others } = await read<ValueCounts>('/counts', { by: 'email' }, signal);
  const several = counts.filter(({ email, count }) => email !== undefined && count > 1);
  const email = several.slice(0, MAX_FILTER_VALUES).flatMap((each) => each.email ?? []);
  const isMore = others !== undefined && several.length === counts.length;
  return {
    ...{ sign: 'people', text: 'E-mails of more than one user', filters: { email }, sort: ['email'] },
    ...{ count: several.length, isMore },
  };
}

async function foundBy(line: Line, signal: AbortSignal): Promise<Found> {
  const { totalElements } = await read<Page>('', { ...line.filters, size: 1, fields: 'id' }, signal);
  return { ...line, count: totalElements };
}

/** Users whom somebody should look at. Lines of nobody are left out. */
export function Attention() {
  const { value, trouble } = useReading(String(shared.edits), (signal) =>
    Promise.all([duplicates(signal), ...LINES.map((line) => foundBy(line, signal))]),
  );
  const lines = value?.filter(({ count }) => count > 0);
  return (
    <section class="attention">
      <header class="hstack">
        <h2>Needs attention</h2>
      </header>
      {trouble}
      {lines?.length === 0 && <p class="text-light">Nothing does.</p>}
      <ul class="unstyled">
        {lines?.map(({ sign, text, filters, sort = [], count, isMore }) => {
          const number = numberOf(count) + (isMore ? '+' : '');
          return (
            <li key={JSON.stringify(filters)}>
              <a class="unstyled" href={listAddress(filters, sort)}>
                <span class="unseen">{`${text}, ${number}`}</span>
                <Icon of={sign} />
                <span aria-hidden="true">{text}</span>
                <b aria-hidden="true">{number}</b>
                <Icon of="right" />
              </a>
            </li>
          );
        })}
      </ul>
    </section>
  );
}
