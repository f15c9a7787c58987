/**
 * What an edit does to lists among attributes, such as tags. A merge patch sets an array as a whole (RFC 7396, section 1), so it cannot add a tag
 * to users who have different ones.
 */
import { ServiceError } from '../ground/index.ts';
import { type Attributes, attributeOf, attributesOf } from '../users/attributes.ts';

type Texts = ReadonlyMap<string, readonly string[]>;

/** What lists of users lose, and what they get then, by the names of attributes. */
export interface ListChanges {
  remove: Texts;
  add: Texts;
}

const refused = (name: string, flaw: string): ServiceError =>
  new ServiceError('validation', `attributes.${name} ${flaw}`);

const textsOf = (texts: Texts, name: string): readonly string[] => texts.get(name) ?? [];

/** @throws {ServiceError} 400 if a list would get and lose the same text */
export function refuseContrary({ remove, add }: ListChanges): void {
  for (const [name, texts] of add) {
    const lost = new Set(textsOf(remove, name));
    if (texts.some((text) => lost.has(text))) throw refused(name, 'cannot get and lose the same text');
  }
}

/**
 * Attributes whose lists lack some texts, and have others once, new ones at their end. A list with nothing left is no value.
 *
 * @throws {ServiceError} 400 if one has another value
 */
export function withLists(attributes: Attributes, { remove, add }: ListChanges): object | undefined {
  const changed = new Map<string, unknown>(Object.entries(attributes));
  for (const name of [...remove.keys(), ...add.keys()]) {
    const list = attributeOf(attributes, name) ?? [];
    if (!Array.isArray(list)) throw refused(name, 'is no array of texts');
    const texts = new Set<string>(list);
    for (const text of textsOf(remove, name)) texts.delete(text);
    for (const text of textsOf(add, name)) texts.add(text);
    changed.set(name, [...texts]);
  }
  return attributesOf(Object.fromEntries(changed));
}
