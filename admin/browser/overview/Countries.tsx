import { read, type ValueCounts } from '../data/connection.ts';
import { valueText } from '../data/filters.ts';
import { share, shared } from '../data/state.ts';
import { counted, numberOf } from '../data/time.ts';
import { listAddress } from '../data/view.ts';
import { useReading } from '../parts/useReading.tsx';
import { useMedia } from '../parts/useWindow.ts';

/** Countries in a usual window, and in a tall one. */
const [FEW, MORE] = [8, 12];

/** The countries of most users. Each leads to its users. */
export function Countries() {
  const { value, trouble } = useReading(String(shared.edits), (signal) =>
    read<ValueCounts>('/counts', { by: 'country' }, signal),
  );
  const most = useMedia('(height >= 60rem) and (width > 48rem)') ? MORE : FEW;
  const counts = value?.counts ?? [];
  const number = counts.filter(({ country }) => country !== undefined).length;
  return (
    <section class="countries">
      <header class="hstack">
        <h2>Countries</h2>
        {number > most && (
          <a class="end" href={listAddress()} onClick={() => share({ filtering: 'country' })}>
            All {numberOf(number)}
          </a>
        )}
      </header>
      {trouble}
      <ul class="unstyled">
        {counts.slice(0, most).map(({ country, count }) => {
          const name = country === undefined ? 'no country' : valueText('country', country);
          const filters = country === undefined ? { 'country.missing': ['true'] } : { country: [country] };
          return (
            <li key={country}>
              <a class="unstyled" href={listAddress(filters)}>
                <span class="unseen">{`${name}, ${counted(count, 'user')}`}</span>
                <span aria-hidden="true" dir="auto" title={name}>
                  {country === undefined ? <em>{name}</em> : name}
                </span>
                <i style={{ width: `${(100 * count) / (counts[0]?.count ?? 1)}%` }} />
                <span aria-hidden="true">{numberOf(count)}</span>
              </a>
            </li>
          );
        })}
      </ul>
    </section>
  );
}
