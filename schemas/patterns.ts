/** The control characters, Unicode's category Cc, for a class of a regular expression. */
const CONTROL = '\\x00-\\x1f\\x7f-\\x9f';

/** Text without control characters: they separate the parts of keys. */
export const PRINTABLE = `^[^${CONTROL}]*$`;

/** The same, with at least one character that is not white space. */
export const PRINTABLE_AND_NOT_BLANK = `^[^${CONTROL}]*[^\\s${CONTROL}][^${CONTROL}]*$`;
