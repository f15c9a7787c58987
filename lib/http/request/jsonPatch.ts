import type { JsonPatchOperation } from '../../../schemas/jsonPatch.ts';
import { isDeeperThan, MAX_DEPTH } from './depth.ts';

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

const read = ({ container, token }: Location): unknown => member(container, token);

function remove({ container, token }: Location): void {
  if (!has(container, token)) throw new PatchConflict();
  if (Array.isArray(container)) container.splice(Number(token), 1);
  else delete container[token];
}

/** Not an assignment: assigning `__proto__` would change the object's prototype. */
const define = (container: object, token: string, value: unknown): void => {
  Object.defineProperty(container, token, { value, writable: true, enumerable: true, configurable: true });
};

function replace({ container, token }: Location, value: unknown): void {
  if (!has(container, token)) throw new PatchConflict();
  define(container, token, value);
}

function add({ container, token }: Location, value: unknown): void {
  if (!isContainer(container)) throw new PatchConflict();
  if (!Array.isArray(container)) {
    define(container, token, value);
    return;
  }
  const index = token === '-' ? container.length : Number(token);
  if (token !== '-' && !(INDEX.test(token) && index <= container.length)) throw new PatchConflict();
  container.splice(index, 0, value);
}

/** RFC 6902, section 4.6. Numbers are compared by value, so 0 and -0 are equal. */
function isEqual(a: unknown, b: unknown): boolean {
  if (!isContainer(a) || !isContainer(b)) return a === b;
  const names = Object.keys(a);
  if (Array.isArray(a) !== Array.isArray(b) || names.length !== Object.keys(b).length) return false;
  return names.every((name) => has(b, name) && isEqual(member(a, name), member(b, name)));
}

/** A copy of a value for a path. @throws {PatchConflict} when it would be nested too deep there */
function copyFor(path: readonly string[], value: unknown): unknown {
  if (isDeeperThan(MAX_DEPTH - path.length + 1, value)) throw new PatchConflict();
  return structuredClone(value);
}

const isWithin = (path: readonly string[], outer: readonly string[]): boolean =>
  path.length > outer.length && outer.every((token, i) => token === path[i]);

/** A patch that copies the document into itself doubles its size with each operation. */
const MAX_CHARACTERS = 100_000;

function transfer(root: object, op: 'move' | 'copy', from: readonly string[], path: readonly string[]): void {
  if (op === 'move' && isWithin(path, from)) throw new PatchConflict();
  const value = copyFor(path, read(locationOf(root, from)));
  if (op === 'move') remove(locationOf(root, from));
  add(locationOf(root, path), value);
  if (JSON.stringify(root).length > MAX_CHARACTERS) throw new PatchConflict();
}

/**
 * Applies one operation of a JSON Patch (RFC 6902) to the document of the root.
 *
 * @throws {PatchConflict} when it does not apply, or would make the document too large or too deep
 */
export function applyOperation(root: { [ROOT]: unknown }, { op, path, from, value }: JsonPatchOperation): void {
  const tokens = tokensOf(path);
  switch (op) {
    case 'add':
      add(locationOf(root, tokens), copyFor(tokens, value));
      break;
    case 'replace':
      replace(locationOf(root, tokens), copyFor(tokens, value));
      break;
    case 'remove':
      if (path === '') throw new PatchConflict();
      remove(locationOf(root, tokens));
      break;
    case 'test':
      if (!isEqual(read(locationOf(root, tokens)), value)) throw new PatchConflict();
      break;
    default:
      transfer(root, op, tokensOf(from), tokens);
  }
}
