/** How addresses of e-mails are compared where they are unique. They are stored as they were sent. */
import { domainToASCII } from 'node:url';
import { folded } from '../columns/index.ts';
import type { UserFields } from './user.ts';

/** RFC 5322, section 3.2.3: what needs no quotes, but for dots between. */
const ATOM = /^[^\s"(),.:;<>@[\\\]]+$/;

/** A local part without quotes and backslashes that it does not need: with them it is the same (RFC 5321, section 4.1.2). */
function unquoted(local: string): string {
  if (!local.startsWith('"')) return local;
  const content = local.slice(1, -1).replaceAll(/\\(.)/gs, '$1');
  return content.split('.').every((atom) => ATOM.test(atom)) ? content : `"${content.replaceAll(/["\\]/g, '\\$&')}"`;
}

/** A domain as DNS has it (RFC 5891). A literal, and what is no domain, stay as they are. */
const asciiOf = (domain: string): string => (/^\p{ASCII}*$/u.test(domain) ? domain : domainToASCII(domain) || domain);

const mailboxOf = (email: string): string => {
  const at = email.lastIndexOf('@');
  return `${unquoted(email.slice(0, at))}@${asciiOf(email.slice(at + 1))}`;
};

/** The forms in which versions have compared addresses, the oldest first. The name of a form is stored. */
const FORMS = {
  /** Version 2.0. */
  '-': (email: string) => folded('text', email),
  /** Versions 2.1 and 2.2. */
  ascii: (email: string) => folded('text', mailboxOf(email)),
  /** This one. */
  letters: (email: string) => folded('address', mailboxOf(email)),
};
export type Form = keyof typeof FORMS;
export const PRESENT: Form = 'letters';
export const ALL_FORMS = Object.keys(FORMS) as Form[];

/** An address as it is compared. */
export const addressOf = (user: UserFields | undefined, form: Form = PRESENT): string | undefined =>
  user?.email === undefined ? undefined : FORMS[form](user.email);
