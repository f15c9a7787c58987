import { byShare, type Random } from './draw.ts';
import type { PersonName } from './names.ts';

/** The largest number of characters that the service accepts. */
const LONGEST = 200;
const ASTRAL = ['🌸', '🦊', '𝓐', '𝔹', '👩🏽‍💻', '𐐷', '🇪🇺', '𞤀𞤣𞤤'];

type Change = (person: PersonName, another: () => PersonName, random: Random) => PersonName;

const each =
  (change: (text: string) => string): Change =>
  ({ name, firstName, lastName }) => ({ name: change(name), firstName: change(firstName), lastName: change(lastName) });

/** Adds names of other people until the text is full. */
const prolong: Change = ({ firstName, lastName }, another) => {
  let longest = lastName;
  for (let next = lastName; next.length <= LONGEST - firstName.length - 1; next = `${longest} ${another().lastName}`) {
    longest = next;
  }
  return { name: `${firstName} ${longest}`, firstName, lastName: longest };
};

const adorn: Change = ({ name, firstName, lastName }, _, random) => {
  const sign = ASTRAL[Math.floor(random() * ASTRAL.length)] ?? '';
  return {
    name: `${name} ${sign}`,
    firstName: `${firstName}${sign}`,
    lastName: random() < 0.5 ? `${lastName} ${sign}` : lastName,
  };
};

/** How people type their names, with the frequency per million: in NFD, all capitals, no capitals, and rare cases. */
const QUIRKS: readonly { readonly share: number; readonly change: Change }[] = [
  { share: 20_000, change: each((text) => text.normalize('NFD')) },
  { share: 10_000, change: each((text) => text.toUpperCase()) },
  { share: 5_000, change: each((text) => text.toLowerCase()) },
  { share: 1_000, change: adorn },
  { share: 300, change: prolong },
];

/** Leaves most names as they are. */
export function withQuirks(person: PersonName, another: () => PersonName, random: Random): PersonName {
  const quirk = byShare(QUIRKS, random() * 1_000_000);
  return quirk ? quirk.change(person, another, random) : person;
}
