import { notOfService } from './api.ts';

type Answer = Record<string, unknown>;

/** The most characters of an answer, some ten thousand tokens. Above, an agent is told to ask for less. */
export const MOST_CHARACTERS = 40_000;

/** The most users of a change that are named with the reason for which they were not changed. */
const MOST_FAILED = 20;

/** For what stands beside the groups of an answer, in characters. */
const REST = 1_000;

const count = (number: number): string => number.toLocaleString('en-US');

/** An answer that is a list. @throws {Refusal} for another one */
export function listOf<Item>(answer: unknown): Item[] {
  if (!Array.isArray(answer)) throw notOfService(200);
  return answer;
}

/** A list of an answer. @throws {Refusal} without it */
export const listIn = <Item>(answer: Answer, name: string): Item[] => listOf(answer[name]);

/** A number of an answer. @throws {Refusal} without it */
export function numberIn(answer: Answer, name: string): number {
  const number = answer[name];
  if (typeof number !== 'number') throw notOfService(200);
  return number;
}

/** An answer with this number, by which it is known as one of the service. @throws {Refusal} for another one */
export function withNumber(answer: Answer, name: string): Answer {
  numberIn(answer, name);
  return answer;
}

/** How many members of a list, from its begin, have at most these characters as JSON. */
function fitting(list: readonly object[], characters: number): number {
  let used = 0;
  const end = list.findIndex((each) => {
    used += JSON.stringify(each).length + 1;
    return used > characters;
  });
  return end < 0 ? list.length : end;
}

/** The largest groups, as many as an answer may have, and how many are left out. */
export function largestOf(answer: Answer): Answer {
  const counts = listIn<object>(answer, 'counts');
  const end = fitting(counts, MOST_CHARACTERS - REST);
  if (end === counts.length) return answer;
  const more = `Of ${count(counts.length)} groups these ${count(end)} are the largest, and ${count(counts.length - end)} are left out. Filters make them fewer`;
  return { ...answer, counts: counts.slice(0, end), more };
}

/** The outcome of a change that was made, which must not be too long to be told. */
export function outcomeOf(answer: Answer): Answer {
  const failed = listIn(answer, 'failed');
  if (failed.length <= MOST_FAILED) return answer;
  const more = `${count(failed.length)} have failed, of whom these are the first ${MOST_FAILED}`;
  return { ...answer, failed: failed.slice(0, MOST_FAILED), more };
}
