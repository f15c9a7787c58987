import type { LocaleCode } from './countries.ts';

/** Naming customs of a language that the lists of names do not tell. */
export interface Customs {
  /** The most frequent last names in their order, and some with letters that programs often get wrong. */
  readonly common?: string;
  /** Prefixes of rare names. */
  readonly prefixes?: readonly string[];
  /** The percentage of people with two last names, and the text between these. */
  readonly second?: readonly [share: number, between: string];
  /** The list has all last names of the language: none is made up. */
  readonly closed?: true;
  /** The ending of a man's last name, and a woman's in place of it, if there is one list for both. */
  readonly feminine?: readonly [RegExp, string];
  /** Last names come first in full names. */
  readonly lastFirst?: true;
  /** The text between first and last name, if it is not a space. */
  readonly between?: '';
}

const ENGLISH: Customs = {
  common: "Smith Johnson Williams Brown Jones Miller Davis Wilson Taylor Anderson Lee O'Connor O’Brien McDonald",
  prefixes: ['Mc', 'Mac', "O'", 'O’', 'St. ', 'Van '],
  second: [4, '-'],
};

const SPANISH: Customs = {
  common: 'García Rodríguez González Fernández López Martínez Sánchez Pérez Gómez Martín Núñez',
  prefixes: ['de ', 'de la ', 'del ', 'San '],
  second: [40, ' '],
};

const PORTUGUESE: Customs = {
  common: 'Silva Santos Ferreira Pereira Oliveira Costa Rodrigues Martins Sousa Gonçalves Simões',
  prefixes: ['da ', 'dos ', 'de '],
  second: [40, ' '],
};

const DUTCH: Customs = {
  common: "de Jong|Jansen|de Vries|van den Berg|van Dijk|Bakker|Visser|Smit|Meijer|'t Hart|in 't Veld",
  prefixes: ['van ', 'van de ', 'van der ', 'de ', "van 't ", 'ter '],
  second: [3, '-'],
};

/** By language, or by locale where a country differs. */
const CUSTOMS: Readonly<Record<string, Customs>> = {
  en: ENGLISH,
  en_HK: { closed: true },
  en_IN: { common: 'Kumar Singh Sharma Patel Das Reddy Nair Gupta Khan', second: [10, ' '] },
  en_GH: { second: [20, '-'] },
  en_NG: { second: [5, '-'] },
  en_NP: {},
  es: SPANISH,
  es_MX: { ...SPANISH, common: 'Hernández García Martínez López González Pérez Rodríguez Sánchez Ramírez Cruz Núñez' },
  pt: PORTUGUESE,
  nl: DUTCH,
  af: { ...DUTCH, common: 'Botha|Van Wyk|Van der Merwe|Nel|Pretorius' },
  de: {
    common: 'Müller Schmidt Schneider Fischer Weber Meyer Wagner Becker Schulz Hoffmann Weiß Groß Strauß',
    prefixes: ['von ', 'vom ', 'von der ', 'zu '],
    second: [5, '-'],
  },
  fr: {
    common: "Martin Bernard Thomas Petit Robert Richard Durand Dubois Moreau Laurent Lefèvre D'Angelo N'Diaye",
    prefixes: ['Le ', 'La ', "d'", 'de ', 'du ', "L'"],
    second: [6, '-'],
  },
  fr_SN: { common: "Diop Ndiaye Fall Diallo Ba Sow Faye N'Doye M'Bengue", prefixes: ["N'", "M'"], second: [5, ' '] },
  it: {
    common: "Rossi Russo Ferrari Esposito Bianchi Romano D'Angelo D'Amico Nicolò",
    prefixes: ["D'", 'De ', 'Di ', 'Lo '],
  },
  pl: {
    common: 'Nowak Kowalski Wiśniewski Wójcik Kowalczyk Kamiński Lewandowski',
    second: [4, '-'],
    feminine: [/ki$/, 'ka'],
  },
  ru: { second: [2, '-'] },
  uk: { second: [2, '-'] },
  cs: { second: [3, ' '] },
  hr: { second: [4, ' '] },
  ro: { second: [6, '-'] },
  hu: { common: 'Nagy Kovács Tóth Szabó Horváth Varga Kiss', second: [8, '-'], lastFirst: true },
  tr: { common: 'Yılmaz Kaya Demir Çelik Şahin Yıldız İnce Işık', second: [3, ' '] },
  el: { common: 'Παπαδόπουλος Γεωργίου Νικολάου Παππάς', second: [5, '-'] },
  da: { common: 'Nielsen Jensen Hansen Pedersen Andersen Sørensen', second: [30, ' '] },
  nb: { common: 'Hansen Johansen Olsen Larsen Andersen Bjørnstad', second: [20, ' '] },
  sv: { common: 'Andersson Johansson Karlsson Nilsson Eriksson Åkesson', second: [15, ' '] },
  fi: { common: 'Korhonen Virtanen Mäkinen Nieminen', second: [8, '-'] },
  ar: { common: 'محمد أحمد علي حسن إبراهيم', prefixes: ['ال', 'بن ', 'أبو ', 'عبد ال'], second: [20, ' '] },
  fa: { common: 'محمدی حسینی احمدی رضایی', prefixes: ['پور '], second: [15, ' '] },
  ur: { second: [30, ' '] },
  he: { common: 'כהן לוי מזרחי פרץ ביטון', prefixes: ['בן ', 'בר־'], second: [8, '-'] },
  id: { second: [15, ' '] },
  // The first character of the last of these is outside of the Basic Multilingual Plane.
  ja: { common: '佐藤 鈴木 高橋 田中 伊藤 渡辺 山本 𠮷田', lastFirst: true, between: '' },
  ko: { common: '김 이 박 최 정 강 조', closed: true, lastFirst: true, between: '' },
  zh: { common: '王 李 张 刘 陈 杨 黄 欧阳 𡈼', closed: true, lastFirst: true, between: '' },
  zh_TW: { common: '陳 林 黃 張 李 王 歐陽 𡈼', closed: true, lastFirst: true, between: '' },
  vi: { common: 'Nguyễn Trần Lê Phạm Hoàng', closed: true, lastFirst: true },
};

export const customsOf = (locale: LocaleCode): Customs => CUSTOMS[locale] ?? CUSTOMS[locale.replace(/_.*/, '')] ?? {};
