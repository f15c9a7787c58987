/** How addresses of e-mails are compared where they are unique. They are stored as they were sent. */
import { domainToASCII } from 'node:url';
import { foldCase } from '../replica/text.ts';
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

/** An address as it is compared. */
export function addressOf(user: UserFields | undefined): string | undefined {
  if (user?.email === undefined) return undefined;
  const at = user.email.lastIndexOf('@');
  return foldCase(`${unquoted(user.email.slice(0, at))}@${asciiOf(user.email.slice(at + 1))}`);
}

/** Whether version 2.0 compared the address as another text. */
export const isOfNewForm = (user: UserFields | undefined): boolean =>
  user?.email !== undefined && addressOf(user) !== foldCase(user.email);
