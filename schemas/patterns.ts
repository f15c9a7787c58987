/** The control characters, Unicode's category Cc, for a class of a regular expression. */
const CONTROL = '\\x00-\\x1f\\x7f-\\x9f';

/** Text without control characters: they separate the parts of keys. */
export const PRINTABLE = `^[^${CONTROL}]*$`;

/**
 * Such text, with at least one character that is not white space. Only white space comes before the first one: if any
 * character could, a long text with a control character at its end would be tried from each of its characters.
 */
export const PRINTABLE_AND_NOT_BLANK = `^[^\\S${CONTROL}]*[^\\s${CONTROL}][^${CONTROL}]*$`;
