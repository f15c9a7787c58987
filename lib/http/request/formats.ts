import { MAX_ATTRIBUTE_TEXT, MAX_EXTERNAL_ID, MAX_LABEL, MAX_TEXT } from '../../../schemas/limits.ts';
import { isAddress } from './addresses.ts';
import { isTextWithin } from './wellFormed.ts';

const isText = (value: string): boolean => isTextWithin(MAX_TEXT, value);
const isLabel = (value: string): boolean => isTextWithin(MAX_LABEL, value);
const isAttribute = (value: string): boolean => isTextWithin(MAX_ATTRIBUTE_TEXT, value);
const isExternalId = (value: string): boolean => isTextWithin(MAX_EXTERNAL_ID, value);

/** The formats that the schemas name, `idn-email` as in JSON Schema. Each has its own export, so that a bundle has only the formats that it uses. */
export {
  isAddress as 'idn-email',
  isAttribute as attribute,
  isExternalId as externalId,
  isLabel as label,
  isText as text,
};
