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
