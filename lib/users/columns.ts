/** The columns of the replica: the fields of users, and columns that are derived of addresses. */
import type { FieldKind as ColumnKind, Derived, FoldedKind, Kinds } from '../columns/index.ts';
import { foldAddress, foldDomain, isInternational, mailboxBeyondAscii, mailboxOfQuoted, QUOTED } from './mailbox.ts';
import { type FieldKind, KINDS, PLAIN_FIELDS } from './user.ts';

const ADDRESS: FoldedKind = { name: 'address', fold: foldAddress };

const columnKindOf = (kind: FieldKind): ColumnKind => (kind === 'address' ? ADDRESS : kind);

/** Behind the name of a field. No index of DynamoDB, filter or attribute has a name like these. */
const [DOMAIN, UNQUOTED, IN_ASCII] = ['.domain', '.unquoted', '.ascii'];

/** The columns of an address's parts and forms. Few have a mailbox that their letters do not say, and only these are in the last two. */
const derivedOf = (field: string): Record<string, Derived> => ({
  [field + DOMAIN]: { of: field, behind: '@', read: foldDomain },
  [field + UNQUOTED]: { of: field, among: QUOTED, read: mailboxOfQuoted },
  [field + IN_ASCII]: { of: field, among: 'beyond ASCII', read: mailboxBeyondAscii },
});

/** The columns of an address among which one of some mailboxes is looked for. All texts are passed for those beyond ASCII. */
export const mailboxColumns = (field: string, mailboxes: readonly string[]): string[] => [
  field,
  field + UNQUOTED,
  ...(mailboxes.some(isInternational) ? [field + IN_ASCII] : []),
];

/** Moments are in Unix milliseconds; that of the creation is a part of the id. */
export const COLUMNS: Kinds = /* @__PURE__ */ Object.assign(
  {},
  /* @__PURE__ */ Object.fromEntries(PLAIN_FIELDS.map((field) => [field, columnKindOf(KINDS[field])])),
  { updatedAt: 'number', attributes: 'members' } as const,
  .../* @__PURE__ */ PLAIN_FIELDS.filter((field) => KINDS[field] === 'address').map(derivedOf),
);
