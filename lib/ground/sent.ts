/**
 * The most bytes of an answer whose parts are counted, as `bytesSent` counts them. Lambda takes six megabytes: the rest is for the last part, for what
 * is the same in all parts, and for headers. The rest comes in the next page.
 */
export const MOST_SENT = 5_000_000;

/** The bytes of a part of an answer as Lambda sends it: the body is JSON, and a text in other JSON, where each quotation mark and backslash is two bytes. */
export const bytesSent = (part: object): number => Buffer.byteLength(JSON.stringify(JSON.stringify(part)));
