/** A user has some kilobytes, also where each character is an escape. */
export const MAX_BODY_BYTES = 65_536;

/** A batch has more, and each of its users no more than by itself. */
export const MAX_BATCH_BYTES = 1_048_576;

/** Operations of a batch. The users of that many, of some kilobytes each, are less than the six megabytes that Lambda sends. */
export const MAX_OPERATIONS = 100;

/** Characters (Unicode code points) of a name. */
export const MAX_TEXT = 200;

/** Characters of a status or a country. */
export const MAX_LABEL = 64;

/** Characters of an external id: of the `sub` of an issuer (OpenID Connect Core, section 2). */
export const MAX_EXTERNAL_ID = 255;

/** Members of a user's attributes, bytes of all of them as JSON, characters of a text in them, and texts in an array with their characters. */
export const MAX_ATTRIBUTES = 50;
export const MAX_ATTRIBUTES_BYTES = 4_096;
export const MAX_ATTRIBUTE_TEXT = 500;
export const MAX_ATTRIBUTE_ITEMS = 20;
export const MAX_ATTRIBUTE_ITEM = 64;

/** The name of an attribute: it can stand in a parameter and in a column as it is. */
export const ATTRIBUTE_NAME = '^[A-Za-z][A-Za-z0-9_-]{0,62}$';

/** RFC 5321, section 4.5.3.1.3, without the angle brackets. */
export const MAX_EMAIL_OCTETS = 254;

/** The most values of a filter. A filter by id may have more, which are, with a token, less than the 10,240 bytes that API Gateway takes. */
export const MAX_FILTER_VALUES = 100;
export const MAX_IDS = 300;

/** The most names of attributes in the filters, the order and the counts of one request: lists make columns for each. */
export const MAX_NAMES_ASKED = 20;

/** The most properties of a walk's order, the id at its end aside: the link to the next users has the values of each. */
export const MAX_WALK_PROPERTIES = 4;

/** The most words of a search. */
export const MAX_WORDS = 10;

/** As many counts as a client can show. Where their values are long there are fewer: lib/http/response/collections.ts. */
export const MAX_COUNTS = 1_000;

/** By how many properties users are counted at once. */
export const MAX_COUNTED_BY = 2;

/** Makes something of it that a bundle leaves out where nobody uses it. */
const made = (make: () => string): string => make();

/** The control characters, Unicode's category Cc, for a class of a regular expression. */
const CONTROL = '\\x00-\\x1f\\x7f-\\x9f';

/** Beyond U+FFFF a character stands for itself: regular expressions of other languages write its number in another way each. */
const written = (point: number): string =>
  point > 0xffff ? String.fromCodePoint(point) : `\\u${point.toString(16).padStart(4, '0')}`;

const from = (...points: number[]): string => points.map(written).join('-');

/**
 * The characters that show nothing: Unicode's white space (Z), what is ignored by default, interlinear annotations, an empty braille
 * pattern and a note without a head. In numbers, because regular expressions of other languages have no names for all.
 */
const NOTHING = /* @__PURE__ */ made(() =>
  [
    ...[0x20, 0xa0, 0xad, 0x34f, 0x61c].map((point) => from(point)),
    from(0x115f, 0x1160) + from(0x1680) + from(0x17b4, 0x17b5) + from(0x180b, 0x180f) + from(0x2000, 0x200f),
    from(0x2028, 0x202f) + from(0x205f, 0x206f) + from(0x2800) + from(0x3000) + from(0x3164) + from(0xfe00, 0xfe0f),
    from(0xfeff) + from(0xffa0) + from(0xfff0, 0xfffb) + from(0x1bca0, 0x1bca3) + from(0x1d159),
    from(0x1d173, 0x1d17a) + from(0xe0000, 0xe0fff),
  ].join(''),
);

/** Text without control characters: they separate the parts of keys. */
export const PRINTABLE = /* @__PURE__ */ made(() => `^[^${CONTROL}]*$`);

/**
 * Such text, with at least one character that shows something. Only what shows nothing comes before the first one: if any character
 * could, a long text with a control character at its end would be tried from each of its characters.
 */
export const PRINTABLE_AND_NOT_BLANK = /* @__PURE__ */ made(
  () => `^[${NOTHING}]*[^${NOTHING}${CONTROL}][^${CONTROL}]*$`,
);

/** A text that shows nothing, with white space that is a control character, too. */
export const BLANK = /* @__PURE__ */ made(() => `^[\\s${NOTHING}]*$`);

/**
 * DynamoDB would silently replace lone surrogates. NFC can make a string three times as long; sort keys are made of NFC and
 * have at most 1,024 bytes. NFC also takes a time that grows with the square of a run of combining marks, and a format is checked
 * even if `maxLength` has failed: so the length comes first here. A character is one or two units of UTF-16.
 */
export const isTextWithin = (limit: number, value: string): boolean =>
  value.length <= 2 * limit &&
  value.isWellFormed() &&
  (value.length <= limit / 3 || [...value.normalize('NFC')].length <= limit);

/** The rule for such a text, as messages say it. */
export const wellFormed = (limit: number): string =>
  `must be well-formed text of at most ${limit} characters (in Unicode NFC), without control characters`;

/** Users that the preview of an edit looks at, evenly among all. Of more it estimates. */
export const MAX_LOOKED_AT = 20_000;
