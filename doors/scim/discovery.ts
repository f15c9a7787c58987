/** The abilities of the door, in SCIM's own words (RFC 7643, sections 5 to 7; RFC 9865, section 4). */
import type { Asked } from './asked.ts';
import { CORE, ENTERPRISE, EXTENSION, SINGLE } from './fields.ts';
import { GROUP } from './groupBody.ts';
import { MAX_RESULTS } from './lists.ts';
import { LISTS } from './values.ts';

const schemaOf = (type: string) => `urn:ietf:params:scim:schemas:core:2.0:${type}`;
const READ_ONLY = { mutability: 'readOnly' };
const IGNORING_CASE = { caseExact: false };

const attribute = (name: string, more: object = {}) => ({
  ...{ name, type: 'string', multiValued: false, description: `The ${name}`, required: false, caseExact: true },
  ...{ mutability: 'readWrite', returned: 'default', uniqueness: 'none' },
  ...more,
});

/** Attributes of users that are no text which is compared exactly. */
const DETAILS: Record<string, object> = {
  userName: { ...IGNORING_CASE, required: true, uniqueness: 'server' },
  externalId: { uniqueness: 'server' },
  displayName: IGNORING_CASE,
  'name.givenName': IGNORING_CASE,
  'name.familyName': IGNORING_CASE,
  'emails.value': IGNORING_CASE,
  active: { type: 'boolean', caseExact: undefined, uniqueness: undefined },
};

const complex = (name: string, multiValued: boolean, subAttributes: object[], more: object = {}) =>
  attribute(name, {
    type: 'complex',
    multiValued,
    subAttributes,
    caseExact: undefined,
    uniqueness: undefined,
    ...more,
  });

/** The attributes of a schema, from paths of the door. */
function attributesOf(paths: string[]): object[] {
  return [...new Set(paths.map((path) => path.split('.')[0] ?? ''))].map((name) => {
    const under = paths.filter((path) => path.startsWith(`${name}.`));
    if (under.length === 0) return attribute(name, DETAILS[name]);
    return complex(
      name,
      false,
      under.map((path) => attribute(path.slice(name.length + 1), DETAILS[path])),
    );
  });
}

const PRIMARY = attribute('primary', { type: 'boolean', caseExact: undefined, uniqueness: undefined });

const lists = LISTS.map(({ name, members, types }) =>
  complex(name, true, [
    ...members.map((member) => attribute(member, DETAILS[`${name}.${member}`])),
    attribute('type', { ...IGNORING_CASE, canonicalValues: types }),
    PRIMARY,
  ]),
);

const IMMUTABLE = { mutability: 'immutable' };

const groupAttributes = [
  attribute('displayName', DETAILS.userName),
  attribute('externalId'),
  complex('members', true, [
    attribute('value', IMMUTABLE),
    attribute('$ref', { ...IMMUTABLE, type: 'reference', referenceTypes: ['User'] }),
    attribute('type', { ...IMMUTABLE, ...IGNORING_CASE, canonicalValues: ['User'] }),
  ]),
];

const describing = (type: string, base: string, path: string, id: string, members: object) => ({
  ...{ schemas: [schemaOf(type)], id, ...members },
  meta: { resourceType: type, location: `${base}/${path}/${id}` },
});

export function schemas({ settings: { SCIM_GROUPS }, base }: Asked) {
  const schema = (id: string, name: string, description: string, attributes: object[]) =>
    describing('Schema', base, 'Schemas', id, { name, description, attributes });
  const [core, extension] = [false, true].map((is) =>
    [...SINGLE.keys()].filter((path) => path.startsWith(EXTENSION) === is),
  ) as [string[], string[]];
  const readOnly = (...names: string[]) => names.map((name) => attribute(name, READ_ONLY));
  const groups = complex('groups', true, readOnly('value', 'display'), READ_ONLY);
  return [
    schema(CORE, 'User', 'User Account', [...attributesOf(core), ...lists, ...(SCIM_GROUPS ? [groups] : [])]),
    schema(
      ...([ENTERPRISE, 'EnterpriseUser', 'Enterprise User'] as const),
      attributesOf(extension.map((path) => path.slice(EXTENSION.length + 1))),
    ),
    ...(SCIM_GROUPS ? [schema(GROUP, 'Group', 'Group', groupAttributes)] : []),
  ];
}

export function resourceTypes({ settings: { SCIM_GROUPS }, base }: Asked) {
  const type = (name: string, schema: string, more: object = {}) =>
    describing('ResourceType', base, 'ResourceTypes', name, { name, endpoint: `/${name}s`, schema, ...more });
  const user = type('User', CORE, { schemaExtensions: [{ schema: ENTERPRISE, required: false }] });
  return SCIM_GROUPS ? [user, type('Group', GROUP)] : [user];
}

export const serviceProviderConfig = (base: string) => ({
  schemas: [schemaOf('ServiceProviderConfig')],
  patch: { supported: true },
  bulk: { supported: false, maxOperations: 0, maxPayloadSize: 0 },
  filter: { supported: true, maxResults: MAX_RESULTS },
  changePassword: { supported: false },
  sort: { supported: true },
  etag: { supported: true },
  pagination: {
    cursor: true,
    index: true,
    defaultPaginationMethod: 'index',
    defaultPageSize: MAX_RESULTS,
    maxPageSize: MAX_RESULTS,
  },
  authenticationSchemes: [
    { type: 'oauthbearertoken', name: 'Bearer token', description: 'The token of this door', primary: true },
  ],
  meta: { resourceType: 'ServiceProviderConfig', location: `${base}/ServiceProviderConfig` },
});
