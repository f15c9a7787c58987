import { MAX_ATTRIBUTE_TEXT, MAX_EMAIL_OCTETS, MAX_EXTERNAL_ID, MAX_LABEL, MAX_TEXT } from '../../../schemas/limits.ts';
import { parseMoment } from '../../moments.ts';
import { NUMBER } from '../../users/attributes.ts';
import { isAddress } from './addresses.ts';
import { INTEGER } from './id.ts';

/**
 * DynamoDB would silently replace lone surrogates. NFC can make a string three times as long; sort keys are made of NFC and
 * have at most 1,024 bytes. NFC also takes a time that grows with the square of a run of combining marks, and a format is checked
 * even if `maxLength` has failed: so the length comes first here. A character is one or two units of UTF-16.
 */
const isTextWithin = (limit: number, value: string): boolean =>
  value.length <= 2 * limit &&
  value.isWellFormed() &&
  (value.length <= limit / 3 || [...value.normalize('NFC')].length <= limit);

const isText = (value: string): boolean => isTextWithin(MAX_TEXT, value);
const isLabel = (value: string): boolean => isTextWithin(MAX_LABEL, value);
const isAttribute = (value: string): boolean => isTextWithin(MAX_ATTRIBUTE_TEXT, value);
const isExternalId = (value: string): boolean => isTextWithin(MAX_EXTERNAL_ID, value);

/** A filter by e-mail may be any text up to the longest address. */
const isMailbox = (value: string): boolean => value.isWellFormed() && Buffer.byteLength(value) <= MAX_EMAIL_OCTETS;

const isInteger = (value: string): boolean => INTEGER.test(value);
const isNumber = (value: string): boolean => NUMBER.test(value) && Number.isFinite(Number(value));
const isFlag = (value: string): boolean => value === 'true' || value === 'false';
const isMoment = (value: string): boolean => parseMoment(value, 0) !== undefined;

/** The formats that the schemas name, `idn-email` as in JSON Schema. Each has its own export, so that a bundle has only the formats that it uses. */
export {
  isAddress as 'idn-email',
  isAttribute as attribute,
  isExternalId as externalId,
  isFlag as flag,
  isInteger as integer,
  isLabel as label,
  isMailbox as mailbox,
  isMoment as moment,
  isNumber as number,
  isText as text,
};
