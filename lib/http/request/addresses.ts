import { isIPv4, isIPv6 } from 'node:net';
import { MAX_EMAIL_OCTETS } from '../../../schemas/limits.ts';

/**
 * A character beyond ASCII that shows something: no white space, no control, no direction of text. Behind one there may be joiners, which
 * Persian and Indic words and emoji need, and the variation selector of emoji.
 */
const VISIBLE = /(?!\p{ASCII})[^\p{C}\p{Z}\p{Default_Ignorable_Code_Point}\u2800](?:\u200c|\u200d|\ufe0f)*/gu;

/** The grammar of RFC 5321, section 4.1.2. RFC 6531, section 3.3, puts visible characters beyond ASCII in every place of a letter. */
const ATOM = /^[\w!#$%&'*+\-/=?^`{|}~]+$/;
const QUOTED = /^"(?:[ !#-[\]-~]|\\[ -~])*"$/;
const LABEL = /^(?!-)[a-z\d-]{1,63}(?<!-)$/i;

/** They stand for ASCII, which a domain has as it is. */
const FULL_WIDTH = /[\uff01-\uff5e]/;

const MAX_LOCAL_OCTETS = 64;

const isLocalPart = (text: string): boolean => QUOTED.test(text) || text.split('.').every((atom) => ATOM.test(atom));

/** The last label has a letter: what has none is an IPv4 address, or nothing. */
const isDomain = (text: string): boolean =>
  text.split('.').every((label) => LABEL.test(label)) && (!/(?:^|\.)\d+$/.test(text) || isIPv4(text));

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
  if (at < 1 || Buffer.byteLength(local) > MAX_LOCAL_OCTETS || FULL_WIDTH.test(domain)) return false;
  const [localPart = '', host = ''] = [local, domain].map((part) => part.replace(VISIBLE, 'x'));
  return isLocalPart(localPart) && (isDomain(host) || isLiteral(domain));
}
