/** Finds external ids that a spreadsheet, a database or a program has changed: by them, a sync would delete people who are still there. */
import { Stop } from '../program/stop.ts';
import type { Found } from './batches.ts';
import type { SourceEntry } from './source.ts';
import type { Known } from './sync.ts';

/** As many lines are named. */
const EXAMPLES = 10;

const ANYWAY = '--keys-as-written';

/** Of a thousand who leave, and a thousand who are new, some have the same name. More than this share is no chance. */
const NAMESAKES = 0.1;

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

export type KeyCheck = ReturnType<typeof createKeyCheck>;

/**
 * The external ids of the lines of a sync.
 *
 * @param known who had one when the import began
 * @param deletes whether users are deleted whom the file does not have
 * @param isAsWritten whether keys are right, whatever they look like
 */
export function createKeyCheck(known: Known, deletes: boolean, isAsWritten: boolean) {
  const lines = new Map<string, number>();
  const touched: string[] = [];
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

  const touchIn = (key: string | undefined): string | undefined =>
    isAsWritten || key === undefined ? undefined : touchOf(key);

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
      const first = lines.get(key);
      if (first === undefined) lines.set(key, line);
      if (touch) {
        touched.push(`Line ${line}: ${touch}`);
        return `${touch}: correct it, or say ${ANYWAY}`;
      }
      return first === undefined ? undefined : `Line ${first} has the same externalId`;
    },
    /** Whether a line has an external id, one that is refused, too. */
    hasAny: () => lines.size > 0,
    /** How many lines cannot be read, and may be of users. */
    unread: () => (isAsWritten ? 0 : unread),
    /** The users whom the file does not have. */
    missing,
    /** @throws {Stop} when something seems to have touched external ids: nobody may be deleted by them */
    check(consequence: string): void {
      const found = isAsWritten ? [] : [...touched, ...likeMissing(strangers, missing())];
      if (found.length === 0) return;
      const more =
        found.length > EXAMPLES ? [`and ${(found.length - EXAMPLES).toLocaleString('en-US')} more lines`] : [];
      throw new Stop(
        [
          `${consequence}: something seems to have touched externalIds of the file`,
          ...found.slice(0, EXAMPLES),
          ...more,
          `If all of them are right, say ${ANYWAY}`,
        ].join('\n'),
      );
    },
  };
}
