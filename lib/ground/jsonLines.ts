/** JSON as a line of a text (https://github.com/ndjson/ndjson-spec). */

/**
 * JSON escapes the controls of ASCII, but not these, at which some readers end a line, too: Node's readline the last two, Python's `splitlines`
 * all. In JSON they stand in texts alone, where an escape means the same (RFC 8259, section 7).
 */
const BREAKS = /[\u0085\u2028\u2029]/g;

const escaped = (character: string): string => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`;

/** JSON, or lines of it, without a line break in a text. Nearly none has one, and three searches cost less than one by a pattern. */
export const escapeBreaks = (json: string): string =>
  json.includes('\u2028') || json.includes('\u2029') || json.includes('\u0085') ? json.replace(BREAKS, escaped) : json;
