/** The mailbox of an e-mail address: addresses that are written otherwise may have the same. */
import { domainToASCII } from 'node:url';
import { type Fold, foldAddress } from './text.ts';

/** RFC 5322, section 3.2.3: what needs no quotes, but for dots between. */
const ATOM = /^[^\s"(),.:;<>@[\\\]]+$/;

const QUOTE = '"';

/** A local part without quotes and backslashes that it does not need: with them it is the same (RFC 5321, section 4.1.2). */
function unquoted(local: string): string {
  if (!local.startsWith(QUOTE)) return local;
  const content = local.slice(1, -1).replaceAll(/\\(.)/gs, '$1');
  return content.split('.').every((atom) => ATOM.test(atom)) ? content : `"${content.replaceAll(/["\\]/g, '\\$&')}"`;
}

const isAscii = (text: string): boolean => /^[\0-\x7f]*$/.test(text);

/** A domain as DNS has it (RFC 5891). A literal, and what is no domain, stay as they are. */
const asciiOf = (domain: string): string => (isAscii(domain) ? domain : domainToASCII(domain) || domain);

/** A domain as it is compared. */
export const foldDomain: Fold = (domain) => foldAddress(asciiOf(domain));

/** An address without needless quotes, and with its domain as DNS has it. A text without `@` is none, and stays as it is. */
export function mailboxOf(email: string): string {
  const at = email.lastIndexOf('@');
  return at < 0 ? email : `${unquoted(email.slice(0, at))}@${asciiOf(email.slice(at + 1))}`;
}

/** How addresses are compared for equality. */
export const foldMailbox: Fold = (email) => foldAddress(mailboxOf(email));

/** The folded forms of addresses in quotes are between these, the second one not included. */
export const QUOTED = [QUOTE, '#'] as const;

/** Whether an address may have another form than that of its letters. Then it is quoted, or has a domain beyond ASCII. */
export const isRespelled = (email: string): boolean =>
  email.startsWith(QUOTE) || !isAscii(email.slice(email.lastIndexOf('@') + 1));

/** Whether the domain of a folded mailbox may be written beyond ASCII: in ASCII a label of it has this prefix (RFC 5890, section 2.3.2.1). */
export const isInternational = (mailbox: string): boolean => mailbox.includes('xn--', mailbox.lastIndexOf('@'));
