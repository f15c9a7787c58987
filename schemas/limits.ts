/** Characters (Unicode code points) of a name. */
export const MAX_TEXT = 200;

/** Characters of a status or a country. */
export const MAX_LABEL = 64;

/** RFC 5321, section 4.5.3.1.3, without the angle brackets. */
export const MAX_EMAIL_OCTETS = 254;

/** A filter by an exact field may be given at most this many times. */
export const MAX_FILTER_VALUES = 10;
