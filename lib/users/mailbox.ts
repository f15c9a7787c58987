/** E-mail addresses as they are compared: for their order by their letters, for equality by their mailbox, which others may be written for. */
import { domainToASCII } from 'node:url';

const isAscii = (text: string): boolean => /^[\0-\x7f]*$/.test(text);

/** Small Cherokee letters, which are younger than the others, and fold to them. */
const SMALL_CHEROKEE = /[\u13f8-\u13fd\uab70-\uabbf]/g;

const isOne = (text: string): boolean => /^.$/su.test(text);

/** A letter as CaseFolding.txt folds it alone (C and S), if that is in ASCII as it is, or is not as it is not. */
function foldLetter(letter: string): string {
  const upper = letter.toUpperCase();
  const lower = (isOne(upper) ? upper : letter).toLowerCase();
  return isOne(lower) && isAscii(lower) === isAscii(letter) ? lower : letter;
}

/** NFC of all but what would become ASCII: the Kelvin sign, and two marks. */
const compose = (value: string): string => value.replace(/[^\u037e\u1fef\u212a]+/g, (part) => part.normalize('NFC'));

/**
 * How addresses fold. Mail for one is no mail for another, so a letter is only another one of its own kind: `ß`, `ſ`, `ı`, `ﬁ` and the Kelvin sign
 * stay what they are. The owner of `mıke@` is not let in as `mike@`.
 */
export const foldAddress = (value: string): string =>
  isAscii(value)
    ? value.toLowerCase()
    : compose(
        compose(value)
          .replace(/[A-Z]|[^\0-\x7f]/gu, foldLetter)
          .replaceAll('ﬅ', 'ﬆ')
          .replace(SMALL_CHEROKEE, (letter) => letter.toUpperCase()),
      );

/** RFC 5322, section 3.2.3: what needs no quotes, but for dots between. */
const ATOM = /^[^\s"(),.:;<>@[\\\]]+$/;

const QUOTE = '"';

/** A local part without quotes and backslashes that it does not need: with them it is the same (RFC 5321, section 4.1.2). */
function unquoted(local: string): string {
  if (!local.startsWith(QUOTE)) return local;
  const content = local.slice(1, -1).replaceAll(/\\(.)/gs, '$1');
  return content.split('.').every((atom) => ATOM.test(atom)) ? content : `"${content.replaceAll(/["\\]/g, '\\$&')}"`;
}

/** A domain as DNS has it (RFC 5891). A literal, and what is no domain, stay as they are. */
const asciiOf = (domain: string): string => (isAscii(domain) ? domain : domainToASCII(domain) || domain);

/** A domain as it is compared. */
export const foldDomain = (domain: string): string => foldAddress(asciiOf(domain));

/** An address as it is compared for equality: without needless quotes, its domain as DNS has it. A text without `@` is none, and has no other form. */
export function foldMailbox(email: string): string {
  const at = email.lastIndexOf('@');
  return foldAddress(at < 0 ? email : `${unquoted(email.slice(0, at))}@${asciiOf(email.slice(at + 1))}`);
}

/** The mailbox of an address, if its letters do not say it. */
function otherForm(email: string): string | undefined {
  const mailbox = foldMailbox(email);
  return mailbox === foldAddress(email) ? undefined : mailbox;
}

/** Addresses in quotes are between these, the second one not included. */
export const QUOTED = [QUOTE, '#'] as const;

/** The mailbox of an address in quotes that it does not need. */
export const mailboxOfQuoted = (email: string): string | undefined =>
  email.startsWith(QUOTE) ? otherForm(email) : undefined;

/** The mailbox of an address with a domain beyond ASCII. */
export const mailboxBeyondAscii = (email: string): string | undefined =>
  isAscii(email) ? undefined : otherForm(email);

/** Whether the domain of a mailbox may be written beyond ASCII: in ASCII a label of it has this prefix (RFC 5890, section 2.3.2.1). */
export const isInternational = (mailbox: string): boolean => mailbox.includes('xn--', mailbox.lastIndexOf('@'));
