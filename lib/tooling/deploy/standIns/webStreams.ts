/**
 * Replaces `node:stream/web` in bundles, which takes 8 % of the time that a function needs to load. Only middy imports it, to
 * recognise web streams. This service has none: lib/http/response/streaming.ts streams its responses.
 */
export class ReadableStream {}
