import type { JsonPatchOperation } from '../../../schemas/jsonPatch.ts';
import { isDeeperThan, MAX_DEPTH } from './depth.ts';

/** A place that an operation needs and that is not there, or a test that fails. */
export class PatchConflict extends Error {
  override readonly name = 'PatchConflict';
}

/** What has members in JSON. A string has none, whatever it has in JavaScript. */
type Container = unknown[] | Record<string, unknown>;

const isContainer = (value: unknown): value is Container => typeof value === 'object' && value !== null;

/** The member that holds the document, so that this has a container like every other value. */
const ROOT = 'document';

/** What stands between the slashes of a pointer (RFC 6901, section 4), from the root on. */
const tokensOf = (pointer: string): string[] => [
  ROOT,
  ...pointer
    .split('/')
    .slice(1)
    .map((token) => token.replaceAll('~1', '/').replaceAll('~0', '~')),
];

const INDEX = /^(?:0|[1-9]\d*)$/;

/** Own members of objects and elements of arrays: what JavaScript inherits is no part of a document. */
function has(value: unknown, token: string): value is Container {
  if (Array.isArray(value)) return INDEX.test(token) && Number(token) < value.length;
  return isContainer(value) && Object.hasOwn(value, token);
}

function member(value: unknown, token: string): unknown {
  if (!has(value, token)) throw new PatchConflict();
  return Array.isArray(value) ? value[Number(token)] : value[token];
}

interface Place {
  container: unknown;
  token: string;
}

const placeOf = (root: object, tokens: readonly string[]): Place => ({
  container: tokens.slice(0, -1).reduce<unknown>(member, root),
  token: tokens.at(-1) ?? ROOT,
});

const read = ({ container, token }: Place): unknown => member(container, token);

function remove({ container, token }: Place): void {
  if (!has(container, token)) throw new PatchConflict();
  if (Array.isArray(container)) container.splice(Number(token), 1);
  else delete container[token];
}

/** Defined, not assigned: an assignment to `__proto__` would give the object another prototype. */
const define = (container: object, token: string, value: unknown): void => {
  Object.defineProperty(container, token, { value, writable: true, enumerable: true, configurable: true });
};

function replace({ container, token }: Place, value: unknown): void {
  if (!has(container, token)) throw new PatchConflict();
  define(container, token, value);
}

function add({ container, token }: Place, value: unknown): void {
  if (!isContainer(container)) throw new PatchConflict();
  if (!Array.isArray(container)) {
    define(container, token, value);
    return;
  }
  const index = token === '-' ? container.length : Number(token);
  if (token !== '-' && !(INDEX.test(token) && index <= container.length)) throw new PatchConflict();
  container.splice(index, 0, value);
}

/** RFC 6902, section 4.6: numbers are compared by value, so 0 and -0 are equal. */
function isEqual(a: unknown, b: unknown): boolean {
  if (!isContainer(a) || !isContainer(b)) return a === b;
  const names = Object.keys(a);
  if (Array.isArray(a) !== Array.isArray(b) || names.length !== Object.keys(b).length) return false;
  return names.every((name) => has(b, name) && isEqual(member(a, name), member(b, name)));
}

/** A value of its own to put at a place, where it does not stand too deep. */
function fitting(value: unknown, path: readonly string[]): unknown {
  if (isDeeperThan(MAX_DEPTH - path.length + 1, value)) throw new PatchConflict();
  return structuredClone(value);
}

const isWithin = (path: readonly string[], place: readonly string[]): boolean =>
  path.length > place.length && place.every((token, i) => token === path[i]);

/** A patch that copies the whole into a part of itself doubles it with each operation. */
const MAX_CHARACTERS = 100_000;

function transfer(root: object, op: 'move' | 'copy', from: readonly string[], path: readonly string[]): void {
  if (op === 'move' && isWithin(path, from)) throw new PatchConflict();
  const value = fitting(read(placeOf(root, from)), path);
  if (op === 'move') remove(placeOf(root, from));
  add(placeOf(root, path), value);
  if (JSON.stringify(root).length > MAX_CHARACTERS) throw new PatchConflict();
}

/**
 * Carries out an operation of a JSON Patch (RFC 6902) on the document of the root.
 *
 * @throws {PatchConflict} when it does not apply, or would make the document too large or too deep
 */
export function operate(root: { [ROOT]: unknown }, { op, path, from, value }: JsonPatchOperation): void {
  const tokens = tokensOf(path);
  switch (op) {
    case 'add':
      add(placeOf(root, tokens), fitting(value, tokens));
      break;
    case 'replace':
      replace(placeOf(root, tokens), fitting(value, tokens));
      break;
    case 'remove':
      if (path === '') throw new PatchConflict();
      remove(placeOf(root, tokens));
      break;
    case 'test':
      if (!isEqual(read(placeOf(root, tokens)), value)) throw new PatchConflict();
      break;
    default:
      transfer(root, op, tokensOf(from), tokens);
  }
}
