import { isOffline } from '../data/connection.ts';
import { type Filters, hasFewValues, labelOf, namedFilters, ruleOf, valueText } from '../data/filters.ts';
import { go, goToNew } from '../data/state.ts';
import { counted, numberOf } from '../data/time.ts';
import { listAddress } from '../data/view.ts';
import { Icon } from '../parts/icons.tsx';
import { Button, Copy } from '../parts/parts.tsx';
import { useReading } from '../parts/useReading.tsx';
import { may, settings } from '../session/session.ts';
import { type Counted, small } from '../values/suggest.ts';
import { countedBy, totalOf } from '../values/useCounted.ts';
import { exactOf, nearestOf } from '../values/values.ts';

const Command = ({ title, text }: { title: string; text: string }) => (
  <>
    <p>{title}</p>
    <div class="command">
      <pre>{text}</pre>
      <Copy what="The command" text={text} name={`Copy: ${text}`} />
    </div>
  </>
);

/** A stage without users, and how it gets some: nothing else is there to see. */
export function Empty() {
  const { api, isLocal } = settings;
  const port = location.port === '3000' ? '' : ` --port ${location.port || 80}`;
  const url = location.origin + api.replace(/\/api$/, '');
  return (
    <section class="notice empty">
      <h2>No users yet</h2>
      <p>
        {may('users:write') ? 'Create the first one, or fill this stage' : 'This stage can be filled'} from a folder of
        the project.
      </p>
      {may('users:write') && <Button text="New user" class="" disabled={isOffline()} onClick={goToNew} />}
      {isLocal && <Command title="Invented ones" text={`npm run seed -- --users 5000${port}`} />}
      <Command title="Your own, from a file" text={`npm run import -- --url ${url} --file users.csv`} />
    </section>
  );
}

/** The value that is probably meant: by its name, or that of most users which is written nearly so. Else the value itself. */
function meantBy(property: string, value: string, known: readonly Counted[]): string {
  const near = nearestOf(property, value, known)?.value ?? value;
  const isLike = [near, valueText(property, near)].some((name) => small(name)[0] === small(value)[0]);
  return exactOf(property, value, known) ?? (isLike ? near : value);
}

/** The same question with the values that are probably meant. */
async function corrected(filters: Filters, signal: AbortSignal): Promise<Filters> {
  const pairs = Object.entries(filters).map(async ([parameter, values]) => {
    const { property, asks } = ruleOf(parameter);
    if (asks !== 'is' || !hasFewValues(property)) return [parameter, values] as const;
    const known = await countedBy(property, {}, signal);
    return [parameter, values.map((value) => meantBy(property, value, known))] as const;
  });
  return Object.fromEntries(await Promise.all(pairs));
}

/** Words of the search with a little less of the last one. */
const shorter = ({ q: [text = ''] = [], ...others }: Filters): Filters[] =>
  text.trim().length > 4 ? [{ ...others, q: [text.trim().slice(0, -2)] }] : [];

/** A list that may find somebody. */
interface Way {
  filters: Filters;
  /** "any country": what it does not ask for any more. */
  any?: string;
}

/** "First name" within a sentence. */
const within = (text: string): string => text.replace(/^\p{Lu}(?!\p{Lu})/u, (letter) => letter.toLowerCase());

/** The same with a filter less, each in turn. A list without any is no answer. */
const withLess = (filters: Filters): Way[] =>
  namedFilters(filters).flatMap(({ parameter, others }) => {
    const { property } = ruleOf(parameter);
    const left = namedFilters(others).map((each) => ruleOf(each.parameter).property);
    if (left.length === 0) return [];
    const isAny = parameter !== 'q' && !left.includes(property);
    return [{ filters: others, ...(isAny && { any: `any ${within(labelOf(property))}` }) }];
  });

/** A part of a sentence: a value in place of another one stands out. */
type Words = readonly [text: string, value?: string, code?: string];

/** The filters of a list in words. A value that is not among the filters that found nobody stands out. */
function wordsOf({ filters, any }: Way, before: Filters): Words[] {
  const parts = namedFilters(filters).map(({ parameter, value, text }, at): Words => {
    const words = at === 0 ? text : within(text);
    if (any !== undefined || parameter === 'q' || !value || before[parameter]?.includes(value)) return [words];
    const shown = valueText(ruleOf(parameter).property, value);
    return [words.slice(0, -shown.length), shown, shown === value ? '' : ` (${value})`];
  });
  return any === undefined ? parts : [...parts, [any]];
}

/** Lists that find somebody, the nearest to the question first, each with its number. */
async function waysFrom(filters: Filters, signal: AbortSignal) {
  const better = await corrected(filters, signal);
  const ways: Way[] = [better, ...shorter(better)].map((each) => ({ filters: each }));
  const others = [...ways, ...withLess(better)].filter(
    (way) => JSON.stringify(way.filters) !== JSON.stringify(filters),
  );
  const totals = await Promise.all(others.map((way) => totalOf(way.filters, signal)));
  return others.map((way, at) => ({ ...way, total: totals[at] ?? 0 })).filter(({ total }) => total > 0);
}

/** Nobody is shown: what was asked for, and the nearest that finds somebody. */
export function Nobody({ filters }: { filters: Filters }) {
  const { value: ways = [], isLoading } = useReading(JSON.stringify(filters), (signal) => waysFrom(filters, signal));
  return (
    <section class="notice nobody" aria-busy={isLoading || undefined}>
      <h2>Nobody has {new Intl.ListFormat('en-GB').format(namedFilters(filters).map(({ text }) => text))}</h2>
      {ways.length > 0 && <p>Somebody is found by:</p>}
      <ul class="unstyled">
        {ways.map((way) => {
          const words = wordsOf(way, filters);
          const name = `${words.map((part) => part.join('')).join(', ')}, ${counted(way.total, 'user')}`;
          return (
            <li key={name}>
              <a href={listAddress(way.filters)}>
                <span class="unseen">{name}</span>
                <span aria-hidden="true" dir="auto">
                  {words.map(([text, value, code], at) => [
                    at > 0 && ', ',
                    text,
                    value && <b key={text}>{value}</b>,
                    code,
                  ])}
                </span>
                <b aria-hidden="true">{numberOf(way.total)}</b>
                <Icon of="right" />
              </a>
            </li>
          );
        })}
      </ul>
      <Button text="Clear all" onClick={() => go({ filters: {}, page: '' })} />
    </section>
  );
}
