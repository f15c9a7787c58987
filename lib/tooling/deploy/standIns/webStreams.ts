/**
 * Bundles have this in the place of `node:stream/web`, which takes 8 % of the time that a function loads. Only middy imports it, to
 * see whether an answer that it is to stream is one; the answers of this service are not, and lib/http/response/streaming.ts sends them.
 */
export class ReadableStream {}
