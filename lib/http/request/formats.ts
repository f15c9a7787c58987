/** The formats of texts, by the names that schemas give them: well-formed texts, and addresses of e-mails. */
import { isIPv4, isIPv6 } from 'node:net';
import { domainToASCII } from 'node:url';
import {
  isTextWithin,
  MAX_ATTRIBUTE_TEXT,
  MAX_EMAIL_OCTETS,
  MAX_EXTERNAL_ID,
  MAX_LABEL,
  MAX_TEXT,
} from '../../../schemas/limits.ts';

/**
 * A character beyond ASCII that shows something: no white space, no control, no direction of text. Behind one there may be joiners, which
 * Persian and Indic words and emoji need, and the variation selector of emoji.
 */
const VISIBLE = /(?!\p{ASCII})[^\p{C}\p{Z}\p{Default_Ignorable_Code_Point}\u2800](?:\u200c|\u200d|\ufe0f)*/gu;

/** The grammar of RFC 5321, section 4.1.2. RFC 6531, section 3.3, puts visible characters beyond ASCII in every place of a letter. */
const ATOM = /^[\w!#$%&'*+\-/=?^`{|}~]+$/;
const QUOTED = /^"(?:[ !#-[\]-~]|\\[ -~])*"$/;
const LABEL = /^(?!-)[a-z\d-]{1,63}(?<!-)$/i;

/**
 * The characters of a domain beyond ASCII: letters, marks and digits, and the exceptions of RFC 5892, section 2.6. Also emoji: some registries
 * take them, and browsers, though that standard does not. Punctuation is none of it, not even a full stop of another script.
 */
const IN_DOMAIN =
  /(?![\p{ASCII}\p{Default_Ignorable_Code_Point}©®])[\p{L}\p{M}\p{Nd}\p{Emoji}·͵׳״་〇・](?:\u200c|\u200d|\ufe0f)*/gu;

/** The text without characters that stand for ASCII, such as a letter of full width: a domain has ASCII as it is. */
const inAscii = (text: string): string =>
  text.replace(IN_DOMAIN, (character) => (/^\p{ASCII}+$/u.test(character.normalize('NFKC')) ? '?' : 'x'));

const MAX_LOCAL_OCTETS = 64;

const isLocalPart = (text: string): boolean => QUOTED.test(text) || text.split('.').every((atom) => ATOM.test(atom));

/** The last label has a letter: what has none is an IPv4 address, or nothing. */
const isDomain = (text: string): boolean =>
  text.split('.').every((label) => LABEL.test(label)) && (!/(?:^|\.)\d+$/.test(text) || isIPv4(text));

/** With other characters, the labels and what DNS has of them (RFC 5891) must be right: joiners, directions of text, lengths. */
const isAnyDomain = (text: string): boolean =>
  /^\p{ASCII}*$/u.test(text) ? isDomain(text) : isDomain(inAscii(text)) && isDomain(domainToASCII(text));

/** Section 4.1.3: an IPv6 address has a tag, and no zone. */
function isLiteral(text: string): boolean {
  const [, tag, address = ''] = /^\[(ipv6:)?([\da-f:.]+)\]$/i.exec(text) ?? [];
  return tag === undefined ? isIPv4(address) : isIPv6(address);
}

/** Whether a text of any length is an address of an e-mail. A domain needs no dot. */
export function isAddress(text: string): boolean {
  if (text.length > MAX_EMAIL_OCTETS || Buffer.byteLength(text) > MAX_EMAIL_OCTETS) return false;
  const at = text.lastIndexOf('@');
  const [local, domain] = [text.slice(0, at), text.slice(at + 1)];
  if (at < 1 || Buffer.byteLength(local) > MAX_LOCAL_OCTETS) return false;
  return isLocalPart(local.replace(VISIBLE, 'x')) && (isAnyDomain(domain) || isLiteral(domain));
}

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
