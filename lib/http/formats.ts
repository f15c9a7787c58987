import isEmail from 'validator/lib/isEmail.js';

const MAX_TEXT_LENGTH = 200;
const MAX_EMAIL_OCTETS = 254;

/** DynamoDB would silently replace lone surrogates, and control characters separate the parts of keys. */
const isPrintable = (value: string): boolean => value.isWellFormed() && !/\p{Cc}/u.test(value);

/** NFC can make a string three times as long; order keys are made of NFC and have at most 1,024 bytes. */
const isText = (value: string): boolean =>
  isPrintable(value) && (value.length <= MAX_TEXT_LENGTH / 3 || [...value.normalize('NFC')].length <= MAX_TEXT_LENGTH);

/** RFC 5321 for form and lengths, RFC 6531 for letters beyond ASCII; a domain needs no dot. */
const isAddress = (value: string): boolean =>
  isPrintable(value) &&
  Buffer.byteLength(value) <= MAX_EMAIL_OCTETS &&
  isEmail(value, { require_tld: false, allow_ip_domain: true });

/** The `format`s that the schemas name, by these names; exported one by one, so that bundles get those that they use. */
export { isAddress as address, isText as text };
