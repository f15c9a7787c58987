import { scramble, shuffled } from './draw.ts';

/** The longest ending to look for, in letters. */
const LONGEST_ENDING = 6;
/** An ending must occur at least this often, and in this share of the names. */
const ENDING_TIMES = 3;
const ENDING_SHARE = 0.004;
/** How many of 16 rare names begin with a prefix, if the language has some. */
const PREFIXED = 3;

/** How many endings are tried on a stem. */
const ATTEMPTS = 4;
/** Makes different sequences of the same ranks. */
const OTHER = 0x9e3779b9;

/** The vowels of Latin, Cyrillic and Greek, without marks. */
const VOWELS = new Set('aeiouyıæøœεαηιουωаеёиіоуыэюяє');

interface Parts {
  readonly stems: readonly string[];
  readonly endings: readonly string[];
}

/** A letter keeps its marks, because some scripts write vowels as marks. */
const lettersOf = (name: string): string[] => name.match(/\P{M}\p{M}*/gu) ?? [];

function countEndings(names: readonly string[][]): Map<string, number> {
  const counts = new Map<string, number>();
  for (const letters of names) {
    for (let length = 1; length <= Math.min(LONGEST_ENDING, letters.length - 1); length++) {
      const ending = letters.slice(-length).join('');
      counts.set(ending, (counts.get(ending) ?? 0) + 1);
    }
  }
  return counts;
}

/** Splits names with a common ending: "Kowalski" into "Kow" and "alski", "Zimmermann" into "Zimmer" and "mann". */
function partsOf(names: readonly string[], isIdeographic: boolean): Parts {
  const shortest = isIdeographic ? 1 : 2;
  const simple = names.filter((name) => /^[\p{L}\p{M}]+$/u.test(name)).map(lettersOf);
  const counts = countEndings(simple);
  const enough = Math.max(ENDING_TIMES, names.length * ENDING_SHARE);
  const stems: string[] = [];
  const endings: string[] = [];
  for (const letters of simple) {
    for (let cut = isIdeographic ? 1 : 3; cut <= letters.length - shortest; cut++) {
      const ending = letters.slice(cut).join('');
      if ((counts.get(ending) ?? 0) < enough) continue;
      stems.push(letters.slice(0, cut).join(''));
      endings.push(ending);
      break;
    }
  }
  return { stems, endings };
}

const isVowel = (letter: string | undefined): boolean =>
  letter !== undefined && VOWELS.has(letter.normalize('NFD').charAt(0).toLowerCase());

/** Whether a vowel and a consonant meet, so that the name can be spoken. */
const fits = (stem: string, ending: string): boolean => ending !== '' && isVowel(stem.at(-1)) !== isVowel(ending.at(0));

export interface SurnameSource {
  readonly common: readonly string[];
  readonly listed: readonly string[];
  readonly prefixes: readonly string[];
  readonly isClosed: boolean;
  readonly isIdeographic: boolean;
}

export interface Surnames {
  /** The number of ranks. Different ranks may have the same name. */
  readonly size: number;
  readonly at: (rank: number) => string;
}

/** The number of rare names. Even a million people have only a few of them. */
const OPEN_SIZE = 20_000_000;

/**
 * The last names of a language by frequency: first the common ones, then the rest of the list, then rare ones made of a stem
 * and an ending of real names. Rare names are not stored, so memory does not grow with the number of people.
 */
export function surnamesOf({ common, listed, prefixes, isClosed, isIdeographic }: SurnameSource): Surnames {
  const known = [...new Set([...common, ...shuffled(listed)])];
  const { stems, endings } = partsOf(known, isIdeographic);
  if (isClosed || stems.length === 0) return { size: known.length, at: (rank) => known[rank] ?? '' };

  const compose = (rank: number): string => {
    const stem = stems[scramble(rank) % stems.length] ?? '';
    let ending = '';
    for (let attempt = 1; attempt <= ATTEMPTS && !fits(stem, ending); attempt++) {
      ending = endings[scramble(rank + attempt * OTHER) % endings.length] ?? '';
    }
    const choice = scramble(rank - OTHER);
    const prefix = choice % 16 < PREFIXED ? (prefixes[(choice >>> 4) % prefixes.length] ?? '') : '';
    return `${prefix}${stem}${ending}`;
  };
  return { size: OPEN_SIZE, at: (rank) => known[rank] ?? compose(rank) };
}
