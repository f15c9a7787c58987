/** One JSON document in place of lines: the list of its users, and the command that makes lines of it. */
import { isObject } from './attributes.ts';
import { commandOf, lineOf } from './jq.ts';
import { isAddress, likelyField } from './likely.ts';

/** In UTF-16 units. A longer document is not looked into. */
export const MAX_DOCUMENT = 67_108_864;

/** As many lists are named. */
const MOST_NAMED = 5;

/** A part of a document, with its path as jq has it. */
interface Part {
  path: string;
  value: unknown;
}

/** Possible users of a document, and the filter of jq that gives them. */
interface Candidate {
  filter: string;
  users: readonly object[];
}

const partsOf = ({ path, value }: Part): Part[] =>
  isObject(value)
    ? Object.entries(value).map(([name, value]) => ({
        path: /^[A-Za-z_]\w*$/.test(name) ? `${path}.${name}` : `${path || '.'}[${JSON.stringify(name)}]`,
        value,
      }))
    : [];

const listIn = ({ path, value }: Part): Candidate[] =>
  Array.isArray(value) && isObject(value[0]) ? [{ filter: `${path || '.'}[]`, users: value }] : [];

const OF_PEOPLE: readonly unknown[] = ['name', 'firstName', 'lastName', 'email'];

const arePeople = ({ users: [first = {}] }: Candidate): boolean =>
  Object.keys(first).some((name) => OF_PEOPLE.includes(likelyField(name, [])));

/** The lists of people that are nearest to the root, else those of any objects: farther ones are parts of users, such as their roles. */
function nearestLists(document: unknown): Candidate[] {
  let others: Candidate[] = [];
  for (let level: Part[] = [{ path: '', value: document }]; level.length > 0; level = level.flatMap(partsOf)) {
    const lists = level.flatMap(listIn);
    const people = lists.filter(arePeople);
    if (people.length > 0) return people;
    if (others.length === 0) others = lists;
  }
  return others;
}

const hasAddress = (object: object): boolean =>
  Object.values(object).some((value) => typeof value === 'string' && isAddress(value));

/** The lists with users: the one that is called so, or the only one with addresses, or all, if the document itself may not be a user. */
export function candidatesIn(document: unknown): readonly Candidate[] {
  const lists = nearestLists(document);
  const called = lists.filter(({ filter }) => /^\.users\[\]$/i.test(filter));
  if (called.length === 1) return called;
  const withAddresses = lists.filter(({ users }) => users.some(hasAddress));
  if (withAddresses.length === 1) return withAddresses;
  if (!isObject(document)) return lists;
  const itself = { filter: '.', users: [document] };
  if (lists.length === 0 || hasAddress(document)) return [itself];
  return 'name' in document ? [itself, ...lists] : lists;
}

/** The end of the first value of a text that begins with an object or an array. */
function endOfFirst(text: string): number {
  let depth = 0;
  for (const { 0: token, index } of text.matchAll(/"(?:[^"\\]|\\.)*"|[[{]|[\]}]/gs)) {
    if ('[{'.includes(token)) depth++;
    else if (']}'.includes(token) && --depth === 0) return index + 1;
  }
  return text.length;
}

/** The first of the values that follow each other in a text, as programs print them. Undefined if it is no JSON. */
export function firstValue(text: string): unknown {
  try {
    return JSON.parse(text.slice(0, endOfFirst(text)));
  } catch {
    return undefined;
  }
}

const named = ({ filter, users: [first = {}, ...others] }: Candidate): string => {
  const members = Object.keys(first).slice(0, MOST_NAMED);
  return `  ${filter}  ${others.length + 1} with ${members.map((name) => JSON.stringify(name)).join(', ')}`;
};

/** How to make lines of a document. It is not guessed which of several lists has the users. */
export function adviceFor(document: unknown): string {
  const candidates = candidatesIn(document);
  const [only = { filter: '.' }] = candidates;
  if (candidates.length < 2) return lineOf(only.filter);
  return [
    'It is one JSON document, and users may be in several places. Put theirs between the quotes:',
    ...candidates.slice(0, MOST_NAMED).map(named),
    commandOf('…'),
  ].join('\n');
}
