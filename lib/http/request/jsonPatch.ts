import { isDeepStrictEqual } from 'node:util';
import type { JsonPatchOperation } from '../../../schemas/jsonPatch.ts';
import { isDeeperThan, MAX_DEPTH } from '../../rest/index.ts';

/** An operation does not apply: its location does not exist, or its test fails. */
export class PatchConflict extends Error {
  override readonly name = 'PatchConflict';
}

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
  if (!has(value, token)) throw new PatchConflict();
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
  if (!isContainer(container)) throw new PatchConflict();
  if (!Array.isArray(container)) {
    // Not an assignment: assigning `__proto__` would change the object's prototype.
    Object.defineProperty(container, token, { value, writable: true, enumerable: true, configurable: true });
    return;
  }
  const index = token === '-' ? container.length : Number(token);
  if (token !== '-' && !(INDEX.test(token) && index <= container.length)) throw new PatchConflict();
  container.splice(index, 0, value);
}

/** RFC 6902, section 4.6. JSON has no -0, so 0 and -0 are equal. */
const isEqual = (a: unknown, b: unknown): boolean =>
  isDeepStrictEqual(JSON.parse(JSON.stringify(a)), JSON.parse(JSON.stringify(b)));

/** A patch that copies the document into itself doubles its size with each operation. */
const MAX_CHARACTERS = 100_000;

/**
 * Applies one operation of a JSON Patch (RFC 6902) to the document of the root.
 *
 * @throws {PatchConflict} when it does not apply, or would make the document too large or too deep
 */
export function applyOperation(root: { [ROOT]: unknown }, { op, path, from, value }: JsonPatchOperation): void {
  const at = (pointer: string): Location => locationOf(root, tokensOf(pointer));
  const read = (pointer: string): unknown => member(at(pointer).container, at(pointer).token);
  const put = (given: unknown): void => {
    if (isDeeperThan(MAX_DEPTH - tokensOf(path).length + 1, given)) throw new PatchConflict();
    add(at(path), structuredClone(given));
    if (op === 'copy' && JSON.stringify(root).length > MAX_CHARACTERS) throw new PatchConflict();
  };
  // Nothing is left of the document without its root, nor of a place within what is moved away.
  if ((op === 'remove' && path === '') || (op === 'move' && path.startsWith(`${from}/`))) throw new PatchConflict();
  if (op === 'test' && !isEqual(read(path), value)) throw new PatchConflict();
  // Section 4.3: a replacement is a removal, and an addition at the same place.
  if (op === 'remove' || op === 'replace') remove(at(path));
  if (op === 'add' || op === 'replace') put(value);
  if (op === 'copy') put(read(from));
  if (op === 'move') put(remove(at(from)));
}
