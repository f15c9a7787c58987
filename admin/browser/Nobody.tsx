import { useState } from 'preact/hooks';
import { isOffline, read, type ValueCounts } from './connection.ts';
import { namedFilters, withoutValue } from './filters.ts';
import { Icon } from './icons.tsx';
import { Button } from './parts.tsx';
import { may, settings } from './session.ts';
import { go, view } from './state.ts';
import { numberOf } from './time.ts';
import { useReading } from './useReading.tsx';
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

/** Lists that ask for a little less, with those that would find somebody, the nearest first. */
function useWays() {
  const { filters } = view;
  const all = namedFilters(filters).map(({ parameter, value, text }) => ({
    text: `Without ${text}`,
    filters: withoutValue(filters, parameter, value),
  }));
  const shorter = filters.q?.[0]?.trim().slice(0, -2) ?? '';
  if (shorter.length > 2) all.unshift({ text: `With “${shorter}”`, filters: { ...filters, q: [shorter] } });

  // A list without any filter is no answer.
  const some = all.filter((way) => namedFilters(way.filters).length > 0);
  const { value: ways = [] } = useReading(JSON.stringify(some), (signal) =>
    Promise.all(
      some.map(async (way) => ({
        ...way,
        ...(await read<ValueCounts>('/counts', { ...way.filters, by: 'status' }, signal)),
      })),
    ),
  );
  return ways.filter(({ total }) => total > 0).toSorted((a, b) => a.total - b.total);
}

/** Nobody is shown: what was searched for, and the nearest that would find somebody. @param words what was asked for */
export const Nobody = ({ words }: { words: string }) => (
  <div class="notice p-4 align-center">
    <p>
      <b>Nobody matches {words}</b>
    </p>
    {view.filters.q && (
      <p>Its words are looked for in names, e-mails, IDs and external IDs, ignoring case and accents.</p>
    )}
    {useWays().map(({ text, filters, total }) => (
      <p key={text}>
        <a href={listAddress(filters)}>{text}</a>: {numberOf(total)}
      </p>
    ))}
    <Button text="Clear all" onClick={() => go({ filters: {}, page: '' })} />
  </div>
);
