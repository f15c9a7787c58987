/** The columns of the replica: the fields of users, and columns that are derived of addresses. */
import type { Derived, FoldedKind, Kinds } from '../columns/index.ts';
import { foldAddress, foldDomain, isInternational, mailboxBeyondAscii, mailboxOfQuoted, QUOTED } from './mailbox.ts';
import { KINDS, PLAIN_FIELDS } from './user.ts';

const ADDRESS: FoldedKind = { name: 'address', fold: foldAddress };

/** The columns of an address's parts and forms. Few have a mailbox that their letters do not say, and only these are in the last two. */
const derivedOf = (of: string): Record<string, Derived> => ({
  [`${of}.domain`]: { of, behind: '@', read: foldDomain },
  [`${of}.unquoted`]: { of, among: QUOTED, read: mailboxOfQuoted },
  [`${of}.ascii`]: { of, among: 'beyond ASCII', read: mailboxBeyondAscii },
});

/** The columns of an address among which one of some mailboxes is looked for. All texts are passed for those beyond ASCII. */
export const mailboxColumns = (field: string, mailboxes: readonly string[]): string[] => [
  field,
  `${field}.unquoted`,
  ...(mailboxes.some(isInternational) ? [`${field}.ascii`] : []),
];

/** Moments are in Unix milliseconds; that of the creation is a part of the id. */
export const COLUMNS: Kinds = /* @__PURE__ */ Object.assign(
  {},
  /* @__PURE__ */ Object.fromEntries(
    PLAIN_FIELDS.map((field) => [field, KINDS[field] === 'address' ? ADDRESS : KINDS[field]]),
  ),
  { updatedAt: 'number', attributes: 'members' } as const,
  .../* @__PURE__ */ PLAIN_FIELDS.filter((field) => KINDS[field] === 'address').map(derivedOf),
);
