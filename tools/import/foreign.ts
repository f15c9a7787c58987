/** Attributes as other products have them: one that does not fit costs its value, and not the user. */
import { checkUser } from '../../lib/http/request/userBody.ts';
import { createdAt, MAX_ID } from '../../lib/users/ids.ts';
import { attributesOf } from '../../lib/users/user.ts';
import { MAX_ATTRIBUTES } from '../../schemas/limits.ts';
import { isObject } from './attributes.ts';
import { nameFor } from './columns.ts';

/** Whether a line is of an export of this service, where `createdAt` follows from the id. A value that is wrong there was right before. */
export const isOurs = (id: unknown, at: unknown): boolean =>
  Number.isSafeInteger(id) && Number(id) > 0 && Number(id) <= MAX_ID && createdAt(Number(id)) === at;

/** Whether a user may have them. */
function areAttributes(attributes: object): boolean {
  try {
    checkUser({ name: 'x', attributes: attributesOf(attributes) });
    return true;
  } catch {
    return false;
  }
}

/** The ways to say a value, the nearest first: `""` and an empty list as none, a list as different texts, one of a single text as that. */
function waysToSay(value: unknown): readonly unknown[] {
  if (value === '') return [null];
  if (!Array.isArray(value) || value.some((each) => typeof each !== 'string')) return [value];
  const texts = [...new Set(value)].filter((text) => text !== '');
  if (texts.length === 0) return [null];
  return texts.length === 1 ? [texts, texts[0]] : [texts];
}

/** Undefined if it fits in no way. */
const said = (value: unknown): unknown => waysToSay(value).find((way) => areAttributes({ value: way }));

const lengthOf = (value: unknown): number => Buffer.byteLength(JSON.stringify(value));

/** Attributes that fit, and the names of those that are left out. */
export interface Fitted {
  attributes: Record<string, unknown>;
  leftOut: readonly string[];
}

/** Members that fit each by itself, by the names that they get. The others are added to `leftOut`. */
function singly(given: object, leftOut: string[]): Map<string, unknown> {
  const found = new Map<string, unknown>();
  const members = Object.entries(given).map(([own, value]) => ({ own, value, name: nameFor(own) }));
  // A name that is one as it is comes before one that is made.
  for (const { own, name, value } of members.toSorted((a, b) => Number(a.name !== a.own) - Number(b.name !== b.own))) {
    const way = name === undefined || found.has(name) ? undefined : said(value);
    if (way !== undefined && name !== undefined) found.set(name, way);
    else if (value !== null) leftOut.push(own);
  }
  return found;
}

/** Makes attributes fit. If all together are too many, or too long, the last, or the longest, are left out. */
export function fitted(given: unknown): Fitted {
  if (!isObject(given)) return { attributes: {}, leftOut: ['attributes'] };
  const leftOut: string[] = [];
  const found = singly(given, leftOut);
  const filled = () => [...found].filter(([, value]) => value !== null);
  for (const [name] of filled().slice(MAX_ATTRIBUTES)) found.delete(name) && leftOut.push(name);
  while (!areAttributes(Object.fromEntries(found))) {
    const [longest = ''] = filled().toSorted(([, a], [, b]) => lengthOf(b) - lengthOf(a))[0] ?? [];
    if (!found.delete(longest)) break;
    leftOut.push(longest);
  }
  return { attributes: Object.fromEntries(found), leftOut };
}
