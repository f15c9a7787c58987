import { useState } from 'preact/hooks';
import { isOffline, read, type ValueCounts } from './connection.ts';
import { type Filters, hasFewValues, namedFilters, ruleOf, withoutValue } from './filters.ts';
import { Icon } from './icons.tsx';
import { Button } from './parts.tsx';
import { may, settings } from './session.ts';
import { go, view } from './state.ts';
import { type Counted, small } from './suggest.ts';
import { counted, numberOf } from './time.ts';
import { useReading } from './useReading.tsx';
import { exactOf, nearestOf } from './values.ts';
import { listAddress } from './view.ts';

function Command({ title, text }: { title: string; text: string }) {
  const [isCopied, setCopied] = useState(false);
  return (
    <>
      <p class="text-light">{title}</p>
      <div class="command">
        <pre>{text}</pre>
        <Button
          text={<Icon of="copy" />}
          class="ghost"
          name={`Copy: ${text}`}
          onClick={() => navigator.clipboard?.writeText(text).then(() => setCopied(true))}
        />
      </div>
      <span class="unseen" role="status">
        {isCopied && 'Copied'}
      </span>
    </>
  );
}

/** A stage without users, and how it gets some: nothing else is there to see. */
export function Empty() {
  const { api, isLocal } = settings;
  const port = location.port === '3000' ? '' : ` --port ${location.port || 80}`;
  const url = location.origin + api.replace(/\/api$/, '');
  return (
    <section class="notice empty">
      <h2>No users yet</h2>
      <p class="text-light">
        {may('users:write') ? 'Create the first one, or fill this stage' : 'This stage can be filled'} from a folder of
        the project.
      </p>
      {may('users:write') && (
        <p>
          <Button text="New user" class="" disabled={isOffline()} onClick={() => go({ user: 'new' })} />
        </p>
      )}
      {isLocal && <Command title="Invented ones" text={`npm run seed -- --users 5000${port}`} />}
      <Command title="Your own, from a file" text={`npm run import -- --url ${url} --file users.csv`} />
    </section>
  );
}

/** A list that may find somebody: its filters, and what it asks for in words. */
interface Way {
  text: string;
  filters: Filters;
}

const wordsOf = (filters: Filters): string =>
  namedFilters(filters)
    .map(({ text }, n) => (n === 0 ? text : text.charAt(0).toLowerCase() + text.slice(1)))
    .join(', ');

/** The value that is probably meant: by its name, or that of most users which is written nearly so. */
function meantBy(property: string, value: string, known: readonly Counted[]): string | undefined {
  const exact = exactOf(property, value, known);
  if (exact !== undefined && exact !== value) return exact;
  const near = nearestOf(property, value, known)?.value;
  return near !== undefined && small(near)[0] === small(value)[0] ? near : undefined;
}

/** The same question with each value that nobody has in place of the one that is probably meant. */
async function corrected(filters: Filters, signal: AbortSignal): Promise<Filters> {
  const pairs = Object.entries(filters).map(async ([parameter, values]) => {
    const { property, asks } = ruleOf(parameter);
    if (asks !== 'is' || !hasFewValues(property)) return [parameter, values] as const;
    const { counts } = await read<ValueCounts>('/counts', { by: property }, signal);
    const known = counts.flatMap(({ count, ...own }) =>
      Object.values(own).map((value) => ({ property, value: String(value), count })),
    );
    const has = (value: string) => known.some((each) => each.value === value);
    return [
      parameter,
      values.map((value) => (has(value) ? value : (meantBy(property, value, known) ?? value))),
    ] as const;
  });
  return Object.fromEntries(await Promise.all(pairs));
}

/** Words of the search with a little less of the last one. */
const shorter = ({ q: [text = ''] = [] }: Filters): string => (text.trim().length > 4 ? text.trim().slice(0, -2) : '');

/** The same with a filter less, each in turn. A list without any is no answer. */
const withLess = (filters: Filters): Way[] =>
  namedFilters(filters)
    .map(({ parameter, value }) => withoutValue(filters, parameter, value))
    .filter((less) => namedFilters(less).length > 0)
    .map((less) => ({ text: wordsOf(less), filters: less }));

/** Lists that find somebody, the nearest to the question first, each with its number. */
async function waysFrom(filters: Filters, signal: AbortSignal) {
  const better = await corrected(filters, signal);
  const less = shorter(filters);
  const ways: Way[] = [
    { text: wordsOf(better), filters: better },
    ...(less === '' ? [] : [{ text: wordsOf({ ...better, q: [less] }), filters: { ...better, q: [less] } }]),
    ...withLess(better),
  ].filter((way) => JSON.stringify(way.filters) !== JSON.stringify(filters));
  const counts = await Promise.all(
    ways.map((way) => read<ValueCounts>('/counts', { ...way.filters, by: 'status' }, signal)),
  );
  return ways.map((way, n) => ({ ...way, total: counts[n]?.total ?? 0 })).filter(({ total }) => total > 0);
}

/** Nobody is shown: what was searched for, and the nearest that finds somebody. @param words what was asked for */
export function Nobody({ words }: { words: string }) {
  const { filters } = view;
  const { value: ways = [], isLoading } = useReading(JSON.stringify(filters), (signal) => waysFrom(filters, signal));
  return (
    <section class="notice nobody" aria-busy={isLoading || undefined}>
      <h2>Nobody has {words}</h2>
      {filters.q && (
        <p class="text-light">
          Its words are looked for in names, e-mails, IDs and external IDs, ignoring case and accents.
        </p>
      )}
      {ways.length > 0 && <p class="text-light">Somebody is found by:</p>}
      <ul class="unstyled" aria-label="Somebody is found by">
        {ways.map(({ text, filters: other, total }) => (
          <li key={text}>
            <a href={listAddress(other)}>
              <span class="unseen">{`${text}, ${counted(total, 'user')}`}</span>
              <span aria-hidden="true" dir="auto">
                {text}
              </span>
              <b aria-hidden="true">{numberOf(total)}</b>
              <Icon of="right" />
            </a>
          </li>
        ))}
      </ul>
      <Button text="Clear all" onClick={() => go({ filters: {}, page: '' })} />
    </section>
  );
}
