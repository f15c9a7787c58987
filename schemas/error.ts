import { answer } from './answer.ts';

const status = { type: 'integer', format: 'int32', minimum: 400, maximum: 599 } as const;

/** The body of every response from 400 on, including API Gateway's. */
export const error = answer(['status', 'message'], {
  status,
  message: { type: 'string', examples: ['Age must be positive'] },
});

/** An error in a body, and its place: `pointer` is a JSON Pointer (RFC 6901). */
export const failure = answer(['detail', 'pointer'], {
  detail: { type: 'string', examples: ['Age must be positive'] },
  pointer: { type: 'string', examples: ['/age'] },
});

/** The body for a client that prefers RFC 9457. Its type is made of a code: more codes may come. `errors` has all failures of a validation. */
export const problem = answer(['type', 'title', 'status', 'detail'], {
  type: { type: 'string', pattern: '^urn:problem:[a-z-]+$', examples: ['urn:problem:validation'] },
  title: { type: 'string', examples: ['The body is not valid'] },
  status,
  detail: { type: 'string', examples: ['Age must be positive'] },
  errors: {
    type: 'array',
    minItems: 1,
    items: failure,
  },
});
