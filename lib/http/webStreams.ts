/**
 * Bundles have this in the place of `node:stream/web`, which takes as long to load as all of lib/ does. Only middy imports
 * it, to see whether an answer that it is to stream is one; the answers of this service are not, and lib/http/streaming.ts
 * sends them.
 */
export class ReadableStream {}
