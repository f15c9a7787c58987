import { MAX_FILTER_VALUES } from '../../../schemas/limits.ts';
import { type Page, read, type ValueCounts } from '../data/connection.ts';
import { ATTRIBUTE, type Filters } from '../data/filters.ts';
import { shared } from '../data/state.ts';
import { numberOf } from '../data/time.ts';
import { listAddress } from '../data/view.ts';
import { Icon, type Sign } from '../parts/icons.tsx';
import { useReading } from '../parts/useReading.tsx';

/** Attributes that say when somebody was last here. */
const SEEN = ['lastSeen', 'lastLogin', 'lastSignIn'];

interface Line {
  sign: Sign;
  text: string;
  filters: Filters;
  /** The order of its list. */
  sort: string[];
}

const LINES: readonly Line[] = [
  { sign: 'mail', text: 'Without e-mail', filters: { 'email.missing': ['true'] }, sort: [] },
  ...SEEN.map((name): Line => {
    const seen = ATTRIBUTE + name;
    return { sign: 'clock', text: 'Not signed in for 60 days', filters: { [`${seen}.lt`]: ['-P60D'] }, sort: [seen] };
  }),
  {
    ...{ sign: 'waiting', text: 'Pending for more than 14 days' },
    filters: { status: ['pending'], 'createdAt.lt': ['-P14D'] },
    sort: ['createdAt'],
  },
];

type Found = Line & { count: number };

/** E-mails that more than one user has. Of very many the list has the first. */
async function duplicates(signal: AbortSignal): Promise<Found> {
  const { counts } = await read<ValueCounts>('/counts', { by: 'email' }, signal);
  const several = counts.filter(({ email, count }) => email !== undefined && count > 1);
  const email = several.slice(0, MAX_FILTER_VALUES).flatMap((each) => each.email ?? []);
  return {
    ...{ sign: 'people', text: 'E-mails of more than one user', filters: { email }, sort: ['email'] },
    count: several.length,
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
      <header>
        <h2>Needs attention</h2>
      </header>
      {trouble}
      {lines?.length === 0 && <p>Nothing does.</p>}
      <ul class="unstyled">
        {lines?.map(({ sign, text, filters, sort, count }) => (
          <li key={JSON.stringify(filters)}>
            <a class="unstyled" href={listAddress(filters, sort)}>
              <span class="unseen">{`${text}, ${numberOf(count)}`}</span>
              <Icon of={sign} />
              <span aria-hidden="true">{text}</span>
              <b aria-hidden="true">{numberOf(count)}</b>
              <Icon of="right" />
            </a>
          </li>
        ))}
      </ul>
    </section>
  );
}
