import { describe, expect, test } from 'vitest';
import { patchBody } from '../../../../lib/http/request/patch.ts';

const fields = { name: 'Ann', age: 30, email: 'ann@example.com' };
const ann = { id: 890301895272553, version: 3, ...fields };

const changed = (patch: unknown) => patchBody.readers['application/json-patch+json']?.(patch)(ann);

describe('a JSON Patch of a user', () => {
  test('that does not apply is a conflict, whose message names the operation', () => {
    const patch = [
      { op: 'add', path: '/age', value: 1 },
      { op: 'remove', path: '/country' },
    ];
    const message = 'Operation 1 of the patch (remove) does not apply to the user';
    expect(() => changed(patch)).toThrow(expect.objectContaining({ status: 409, message }));
  });

  test.each([
    [[{ op: 'remove', path: '/name' }], 'Name is required'],
    [{}, 'Request body must be a JSON array'],
    [['add'], 'operation 0 must be an object'],
    [[{ path: '/name' }], 'operation 0: op is required'],
    [[{ op: 'spell', path: '/name', value: 1 }], 'operation 0: op is not known'],
    [
      [
        { op: 'spell', path: '/name' },
        { op: 'add', path: '/name' },
      ],
      'operation 0: op is not known',
    ],
    [[{ op: 'add', path: '/name' }], 'operation 0: value is required'],
    [[{ op: 'move', path: '/name' }], 'operation 0: from is required'],
    [[{ op: 'move', path: '/name', from: '/~2' }], 'operation 0: from must be a JSON Pointer (RFC 6901)'],
    [[{ op: 'remove', path: 'age' }], 'operation 0: path must be a JSON Pointer (RFC 6901)'],
    [[{ op: 'remove', path: 7 }], 'operation 0: path must be a string'],
    [[{ op: 'remove', path: `/${'a'.repeat(1_000)}` }], 'operation 0: path must be at most 1000 characters long'],
  ])('of %j is refused: %s', (patch, message) => {
    expect(() => changed(patch)).toThrow(expect.objectContaining({ status: 400, message }));
  });

  test('with more than 100 operations is refused before they are validated', () => {
    const message = 'Request body must have at most 100 operations';
    expect(() => changed(Array(101).fill(0))).toThrow(expect.objectContaining({ status: 400, message, failures: [] }));
    expect(changed(Array(100).fill({ op: 'test', path: '/name', value: 'Ann' }))).toEqual(fields);
  });
});
