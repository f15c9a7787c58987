/** A JSON Merge Patch (RFC 7396) and a JSON Patch (RFC 6902), applied to JSON. */
import { isDeepStrictEqual } from 'node:util';
import { isDeeperThan, isObject, MAX_DEPTH } from './depth.ts';

/** RFC 7396, section 2: a member replaces the member of the same name, null removes it, objects are merged member by member. */
export function mergePatched(target: unknown, patch: unknown): unknown {
  if (!isObject(patch)) return patch;
  const merged = new Map(Object.entries(isObject(target) ? target : {}));
  for (const [name, value] of Object.entries(patch)) {
    if (value === null) merged.delete(name);
    else merged.set(name, mergePatched(merged.get(name), value));
  }
  return Object.fromEntries(merged);
}

/** An operation of a JSON Patch. It has the members that `op` needs. */
interface Operation {
  op: 'add' | 'replace' | 'test' | 'remove' | 'move' | 'copy';
  path: string;
  from: string;
  value: unknown;
}

/** An operation does not apply: its location does not exist, or its test fails. */
class Conflict extends Error {}

/** A JSON value with members. Strings have members in JavaScript, but not in JSON. */
type Container = unknown[] | Record<string, unknown>;

const isContainer = (value: unknown): value is Container => typeof value === 'object' && value !== null;

/** The member that holds the document, so that the document has a container like every other value. */
const ROOT = 'document';

/** The reference tokens of a pointer (RFC 6901, section 4), from the root on. */
const tokensOf = (pointer: string): string[] => [
  ROOT,
  ...pointer
    .split('/')
    .slice(1)
    .map((token) => token.replaceAll('~1', '/').replaceAll('~0', '~')),
];

const INDEX = /^(?:0|[1-9]\d*)$/;

/** Only own members and elements count: what JavaScript inherits is not part of a document. */
function has(value: unknown, token: string): value is Container {
  if (Array.isArray(value)) return INDEX.test(token) && Number(token) < value.length;
  return isContainer(value) && Object.hasOwn(value, token);
}

function member(value: unknown, token: string): unknown {
  if (!has(value, token)) throw new Conflict();
  return Array.isArray(value) ? value[Number(token)] : value[token];
}

interface Location {
  container: unknown;
  token: string;
}

const locationOf = (root: object, tokens: readonly string[]): Location => ({
  container: tokens.slice(0, -1).reduce<unknown>(member, root),
  token: tokens.at(-1) ?? ROOT,
});

/** Takes a value away. */
function remove({ container, token }: Location): unknown {
  const value = member(container, token);
  if (Array.isArray(container)) container.splice(Number(token), 1);
  else delete (container as Record<string, unknown>)[token];
  return value;
}

function add({ container, token }: Location, value: unknown): void {
  if (!isContainer(container)) throw new Conflict();
  if (!Array.isArray(container)) {
    // Not an assignment: assigning `__proto__` would change the object's prototype.
    Object.defineProperty(container, token, { value, writable: true, enumerable: true, configurable: true });
    return;
  }
  const index = token === '-' ? container.length : Number(token);
  if (token !== '-' && !(INDEX.test(token) && index <= container.length)) throw new Conflict();
  container.splice(index, 0, value);
}

/** RFC 6902, section 4.6. JSON has no -0, so 0 and -0 are equal. */
const isEqual = (a: unknown, b: unknown): boolean =>
  isDeepStrictEqual(JSON.parse(JSON.stringify(a)), JSON.parse(JSON.stringify(b)));

/** A patch that copies the document into itself doubles its size with each operation. */
const MAX_CHARACTERS = 100_000;

/** @throws {Conflict} when the operation does not apply to the document, or would make it too large or too deep */
function apply(root: { [ROOT]: unknown }, { op, path, from, value }: Operation): void {
  const at = (pointer: string): Location => locationOf(root, tokensOf(pointer));
  const read = (pointer: string): unknown => member(at(pointer).container, at(pointer).token);
  const put = (given: unknown): void => {
    if (isDeeperThan(MAX_DEPTH - tokensOf(path).length + 1, given)) throw new Conflict();
    add(at(path), structuredClone(given));
    if (op === 'copy' && JSON.stringify(root).length > MAX_CHARACTERS) throw new Conflict();
  };
  // Nothing is left of the document without its root, nor of a place within what is moved away.
  if ((op === 'remove' && path === '') || (op === 'move' && path.startsWith(`${from}/`))) throw new Conflict();
  if (op === 'test' && !isEqual(read(path), value)) throw new Conflict();
  // Section 4.3: a replacement is a removal, and an addition at the same place.
  if (op === 'remove' || op === 'replace') remove(at(path));
  if (op === 'add' || op === 'replace') put(value);
  if (op === 'copy') put(read(from));
  if (op === 'move') put(remove(at(from)));
}

/**
 * A document with all operations of a JSON Patch, or with those before the first one that does not apply: then `conflict` is its index. A
 * document that would be too large, or too deep, is a conflict as well.
 */
export function jsonPatched(given: unknown, patch: readonly Operation[]): { document: unknown; conflict?: number } {
  const root = { [ROOT]: structuredClone(given) };
  for (const [conflict, operation] of patch.entries()) {
    try {
      apply(root, operation);
    } catch (error) {
      if (!(error instanceof Conflict)) throw error;
      return { document: root[ROOT], conflict };
    }
  }
  return { document: root[ROOT] };
}
