import type { ComponentChildren } from 'preact';
import { read, type ValueCounts } from './connection.ts';
import { valueText } from './filters.ts';
import { share, shared } from './state.ts';
import { counted, numberOf } from './time.ts';
import { useReading } from './useReading.tsx';
import { useMedia } from './useWindow.ts';
import { listAddress } from './view.ts';

/** Countries in a usual window, and in a tall one. */
const [FEW, MORE] = [8, 12];

interface Bar {
  text: ComponentChildren;
  name: string;
  count: number;
  address: string;
}

const barsOf = (counts: ValueCounts['counts']): Bar[] =>
  counts.map(({ country, count }) => {
    const name = country === undefined ? 'no country' : valueText('country', country);
    const filters = country === undefined ? { 'country.missing': ['true'] } : { country: [country] };
    return { text: country === undefined ? <em>{name}</em> : name, name, count, address: listAddress(filters) };
  });

/** The countries of most users. Each leads to its users. */
export function Countries() {
  const { value, trouble } = useReading(String(shared.edits), (signal) =>
    read<ValueCounts>('/counts', { by: 'country' }, signal),
  );
  const most = useMedia('(height >= 60rem) and (width > 48rem)') ? MORE : FEW;
  const counts = value?.counts ?? [];
  const bars = barsOf(counts.slice(0, most));
  const number = counts.filter(({ country }) => country !== undefined).length;
  return (
    <section class="countries">
      <header class="hstack">
        <h2>Countries</h2>
        {number > most && (
          <a class="end" href={listAddress()} onClick={() => share({ filtering: 'country' })}>
            All {numberOf(number)}
            {value?.others !== undefined && '+'}
          </a>
        )}
      </header>
      {trouble}
      <ul class="unstyled">
        {bars.map(({ text, name, count, address }) => (
          <li key={name}>
            <a class="unstyled" href={address}>
              <span class="unseen">{`${name}, ${counted(count, 'user')}`}</span>
              <span aria-hidden="true" dir="auto" title={name}>
                {text}
              </span>
              <progress aria-hidden="true" max={bars[0]?.count} value={count} />
              <span aria-hidden="true">{numberOf(count)}</span>
            </a>
          </li>
        ))}
      </ul>
      {value && bars.length === 0 && <p class="text-light">Nobody has one yet.</p>}
    </section>
  );
}
