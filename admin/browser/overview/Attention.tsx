import { MAX_FILTER_VALUES } from '../../../schemas/limits.ts';
import { type Page, read, type ValueCounts } from '../data/connection.ts';
import { valuesOf } from '../data/edit.ts';
import { ATTRIBUTE, type Filters } from '../data/filters.ts';
import { shared } from '../data/state.ts';
import { numberOf } from '../data/time.ts';
import { listAddress } from '../data/view.ts';
import { Icon, type Sign } from '../parts/icons.tsx';
import { useReading } from '../parts/useReading.tsx';

/** Attributes that say when somebody was last here. */
const SEEN = ['lastSeen', 'lastLogin', 'lastSignIn'].map((name) => ATTRIBUTE + name);

/** Those of them that users have, as far as the first of these users tells. Asked once a tab. */
let seen: readonly string[] | undefined;

async function seenBy(signal: AbortSignal): Promise<readonly string[]> {
  if (seen) return seen;
  // Users without a value come last.
  const { content } = await read<Page>('', { sort: SEEN, fields: SEEN.join(), size: 1 }, signal);
  const known = valuesOf(content[0] ?? {});
  seen = SEEN.filter((property) => known.has(property));
  return seen;
}

interface Line {
  sign: Sign;
  text: string;
  filters: Filters;
  /** The order of its list. */
  sort: string[];
}

const LINES: readonly Line[] = [
  { sign: 'mail', text: 'Without e-mail', filters: { 'email.missing': ['true'] }, sort: [] },
  {
    ...{ sign: 'waiting', text: 'Pending for more than 14 days' },
    filters: { status: ['pending'], 'createdAt.lt': ['-P14D'] },
    sort: ['createdAt'],
  },
];

const awayBy = (seen: string): Line => ({
  ...{ sign: 'clock', text: 'Not signed in for 60 days', filters: { [`${seen}.lt`]: ['-P60D'] }, sort: [seen] },
});

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
  const { value, trouble } = useReading(String(shared.edits), async (signal) => {
    const away = seenBy(signal).then((found) => Promise.all(found.map((each) => foundBy(awayBy(each), signal))));
    return (await Promise.all([duplicates(signal), ...LINES.map((line) => foundBy(line, signal)), away])).flat();
  });
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
