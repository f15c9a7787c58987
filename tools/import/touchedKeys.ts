/** Finds external ids that a spreadsheet, a database or a program has changed: by them, a sync would delete people who are still there. */
import { counted, quoted, Stop } from '../program/stop.ts';
import type { Found } from './batches.ts';
import type { SourceEntry } from './source.ts';
import type { Known } from './sync.ts';

/** As many lines are named. */
const EXAMPLES = 10;

const ANYWAY = '--keys-as-written';

/** Of a thousand who leave, and a thousand who are new, some have the same name. More than this share is no chance. */
const NAMESAKES = 0.1;

/** Of the lines with a key that is there, more than this share of other people is no chance: the file is of another source. */
const STRANGERS = 0.5;

/** White space but a blank, and what shows nothing: a mark, a joiner, a filler. */
const UNSEEN = /[^\S ]|[\p{Cc}\p{Default_Ignorable_Code_Point}\u2800]/gu;

/**
 * Texts that are no key, whatever the other keys look like. Spreadsheets write numbers as `1.00023E+11`, Java as `1.00023E11`; `12E5` and `1E10` may
 * be codes. An error has the words of the spreadsheet's language: `#WERT!`, `#¿NOMBRE?`, `#N/D`.
 */
const TOUCHED: readonly [RegExp, string][] = [
  [/^\s|\s$|[\p{Cc}\p{Default_Ignorable_Code_Point}\u2800]/u, 'has white space at an end, or an invisible character'],
  [/^[+-]?\d(?:[.,]\d+E[+-]?|E[+-])\d+$/i, 'is a number that a program has rounded'],
  [/^(?:#[¡¿]?[\p{L}/_0]+[!?]|#\p{L}+\/\p{L}+|#NV|#GETTING_DATA|#+|Err:\d+)$/u, "is a spreadsheet's error"],
  [
    /^(?:\\N|NULL|null|\(null\)|\[NULL\]|<null>|None|nan|NaN|NaT|<NA>|N\/A|n\/a|undefined)$/,
    "is a program's word for no value",
  ],
  [/^['"=]|"$|\uFFFD/, 'has a mark that a program has put there'],
];

/** As JSON, with the code points of what cannot be seen. */
const shown = (key: string): string =>
  `"${key.replace(/["\\]/g, '\\$&').replace(UNSEEN, (unit) => `\\u{${unit.codePointAt(0)?.toString(16)}}`)}"`;

/** Why a key is none. */
function touchOf(key: string): string | undefined {
  const [, what] = TOUCHED.find(([pattern]) => pattern.test(key)) ?? [];
  return what && `externalId ${shown(key)} ${what}`;
}

const lower = (text: unknown): string =>
  String(text ?? '')
    .trim()
    .toLowerCase();

/** The same for keys that differ in zeros at their beginning, `.0` at their end, punctuation, white space and case only. */
const bare = (key: string): string =>
  lower(key.normalize('NFKC'))
    .replace(/[.,]0+$/, '')
    .replace(/[^\p{L}\p{N}]+/gu, '')
    .replace(/^0+(?=.)/, '');

/** A line without a key, or with one that no user of this name has. */
interface Stranger {
  line: number;
  key: string | undefined;
  name: string;
  email: string;
}

interface Missing {
  byKey: ReadonlyMap<string, Found>;
  byName: ReadonlyMap<string, readonly Found[]>;
}

/** The user whose line this seems to be: surely by a key alike or by name and address, perhaps by the name if one has no address. */
function likely({ key, name, email }: Stranger, { byKey, byName }: Missing): { sure?: Found; maybe?: Found } {
  const namesakes = byName.get(name) ?? [];
  const alike = key === undefined ? undefined : byKey.get(bare(key) || key);
  const sure = alike ?? namesakes.find((user) => email !== '' && lower(user.email) === email);
  if (sure) return { sure };
  const maybe = namesakes.find((user) => email === '' || !user.email);
  return maybe ? { maybe } : {};
}

function suspicion({ line, key }: Stranger, { name, externalId }: Found): string {
  const is = key === undefined ? 'no externalId' : `externalId ${shown(key)}`;
  return `Line ${line} has ${is}, and seems to be ${name} (${externalId}), who is not in the file`;
}

/** Lines that seem to be of users whom the file does not have. */
function likeMissing(strangers: readonly Stranger[], users: readonly Found[]): string[] {
  const missing = {
    byKey: new Map(users.map((user) => [bare(user.externalId ?? ''), user])),
    byName: Map.groupBy(users, ({ name }) => lower(name)),
  };
  const all = strangers.map((stranger) => ({ stranger, ...likely(stranger, missing) }));
  const sure = all.flatMap((each) => (each.sure ? suspicion(each.stranger, each.sure) : []));
  const maybe = all.flatMap((each) => (each.maybe ? suspicion(each.stranger, each.maybe) : []));
  return maybe.length > NAMESAKES * users.length ? [...sure, ...maybe] : sure;
}

/** The words of a name, ignoring case and accents. */
const wordsOf = (name: string): string[] =>
  name
    .normalize('NFKD')
    .replace(/\p{M}+/gu, '')
    .toLowerCase()
    .match(/[\p{L}\p{N}]+/gu) ?? [];

/** Whether a line gives a user a name without a word of the present one, and no address that the user has. */
function isAnother({ name, email }: Readonly<Record<string, unknown>>, there: Found): boolean {
  if (typeof name !== 'string' || (lower(email) !== '' && lower(email) === lower(there.email))) return false;
  const words = new Set(wordsOf(there.name));
  return wordsOf(name).every((word) => !words.has(word));
}

/** A line whose key another person has. */
interface Swap {
  line: number;
  key: string;
  was: string;
  becomes: string;
}

const sayingOf = ({ line, key, was, becomes }: Swap): string =>
  `Line ${line} would make ${quoted(becomes)} of ${quoted(was)} (${shown(key)})`;

/** The first of many sentences, and how many there are more. */
function firstOf(sentences: readonly string[]): string[] {
  const more = sentences.length - EXAMPLES;
  return [...sentences.slice(0, EXAMPLES), ...(more > 0 ? [`and ${more.toLocaleString('en-US')} more lines`] : [])];
}

export type KeyCheck = ReturnType<typeof createKeyCheck>;

/**
 * The external ids of the lines of a sync.
 *
 * @param known who had one when the import began
 * @param deletes whether users are deleted whom the file does not have
 * @param isAsWritten whether keys are right, whatever they look like
 * @param isAlone whether each line is judged by itself, as nobody has looked at all of them
 */
export function createKeyCheck(known: Known, deletes: boolean, isAsWritten: boolean, isAlone = false) {
  const lines = new Map<string, number>();
  const touched: string[] = [];
  const swaps: Swap[] = [];
  let matched = 0;
  const strangers: Stranger[] = [];
  let unread = 0;

  const missing = (): Found[] =>
    [...known].flatMap(([key, line]): Found[] => (lines.has(key) ? [] : [JSON.parse(line)]));

  /** Notes a line unless the user with its key has its name. The first fill of a service has nobody to compare with. */
  function noteStranger(
    line: number,
    key: string | undefined,
    { name, email }: Readonly<Record<string, unknown>>,
  ): void {
    if (!deletes || known.size === 0 || known.get(key ?? '')?.includes(JSON.stringify(name) ?? '')) return;
    strangers.push({ line, key, name: lower(name), email: lower(email) });
  }

  /** Notes a line that would make another person of a user. */
  function swapIn(line: number, key: string, user: Readonly<Record<string, unknown>>): Swap | undefined {
    const there = isAsWritten ? undefined : known.get(key);
    if (there === undefined) return undefined;
    matched++;
    if (there.includes(JSON.stringify(user.name) ?? '')) return undefined;
    const found: Found = JSON.parse(there);
    const swap = isAnother(user, found) ? { line, key, was: found.name, becomes: String(user.name) } : undefined;
    if (swap) swaps.push(swap);
    return swap;
  }

  const touchIn = (key: string | undefined): string | undefined =>
    isAsWritten || key === undefined ? undefined : touchOf(key);

  /** Why nobody can be found by a key. */
  function flawOf(line: number, key: string, touch: string | undefined, swap: Swap | undefined): string | undefined {
    const first = lines.get(key);
    if (first === undefined) lines.set(key, line);
    if (touch) {
      touched.push(`Line ${line}: ${touch}`);
      return `${touch}: correct it, or say ${ANYWAY}`;
    }
    if (first !== undefined) return `Line ${first} has the same externalId`;
    return swap && isAlone ? `${sayingOf(swap)}: if that is right, say ${ANYWAY}` : undefined;
  }

  return {
    /** Looks at a line. @returns why nobody can be found by it */
    see({ user, line, isNobody }: SourceEntry): string | undefined {
      if (!user) {
        unread += Number(!isNobody);
        return undefined;
      }
      const key = typeof user.externalId === 'string' ? user.externalId : undefined;
      const touch = touchIn(key);
      if (!touch) noteStranger(line, key, user);
      if (key === undefined) return 'externalId is required: --by finds users by it';
      return flawOf(line, key, touch, swapIn(line, key, user));
    },
    /** Whether the file has a line with an external id. */
    has: (key: string) => lines.has(key),
    /** Whether a line has an external id, one that is refused, too. */
    hasAny: () => lines.size > 0,
    /** How many lines cannot be read, and may be of users. */
    unread: () => (isAsWritten ? 0 : unread),
    /** The users whom the file does not have. */
    missing,
    /** @throws {Stop} when something seems to have touched external ids: nobody may be deleted by them */
    check(consequence: string): void {
      if (!isAlone && swaps.length > STRANGERS * matched)
        throw new Stop(
          [
            `${consequence}: ${counted(swaps.length, 'line')} of ${matched.toLocaleString('en-US')} with externalIds of users would make other people of them, as keys of another source do`,
            ...firstOf(swaps.map(sayingOf)),
            `Give the keys of each source a beginning of their own, or say ${ANYWAY} if they are the same people`,
          ].join('\n'),
        );
      const found = isAsWritten || !deletes ? [] : [...touched, ...likeMissing(strangers, missing())];
      if (found.length === 0) return;
      throw new Stop(
        [
          `${consequence}: something seems to have touched externalIds of the file`,
          ...firstOf(found),
          `If all of them are right, say ${ANYWAY}`,
        ].join('\n'),
      );
    },
  };
}
