import type { APIGatewayProxyEvent } from 'aws-lambda';
import { type UserRepresentation, user } from '../../../schemas/user.ts';
import { shown } from '../../rest/index.ts';
import { badParameter } from '../../users/errors.ts';
import {
  ATTRIBUTE,
  type AttributeProperty,
  attributesOf,
  isOfAttribute,
  type ListedUser,
  represent,
} from '../../users/user.ts';
import { similarTo } from '../hints.ts';
import { type Parameter, readList } from './parameter.ts';

/** A member of users, or of their attributes. */
export type Member = keyof typeof user.properties | AttributeProperty;

export const MEMBERS = /* @__PURE__ */ Object.keys(user.properties) as Member[];

/** The members of users that a response has. It is about representing them only: the code that answers a question knows nothing of it. */
export interface Shows {
  /** In the order of CSV's columns. Undefined for all. */
  members: readonly Member[] | undefined;
}

const isMember = (name: string): name is Member => (MEMBERS as readonly string[]).includes(name) || isOfAttribute(name);

function refusalOf(name: string): string {
  const similar = similarTo(name, MEMBERS);
  const hint = similar === undefined ? '' : `: is ${similar} meant?`;
  return `fields has ${shown(name)}, which is none of ${MEMBERS.join(', ')}, attributes.<name>${hint}`;
}

/**
 * The members that `fields` names, by commas or several times, and `id`: without it, nobody could say whose they are.
 *
 * @throws {ServiceError} 400 for the first one that users do not have
 */
function readMembers(event: APIGatewayProxyEvent): Shows {
  const names = readList(event, 'fields');
  const unknown = names.find((name) => !isMember(name));
  if (unknown !== undefined) throw badParameter(refusalOf(unknown));
  const asked = names.filter(isMember);
  if (asked.length === 0) return { members: undefined };
  return { members: asked.includes('id') ? asked : ['id', ...asked] };
}

const showing = (): Parameter<Shows> => ({
  name: 'fields',
  says: `Only these members of users, and \`id\`: others are absent, also those that the schema of a user requires. Columns of CSV come in this order, \`id\` first unless it is named. Members: ${MEMBERS.join(', ')}, and such as attributes.department.`,
  schema: { type: 'string', pattern: `^(?:${MEMBERS.join('|')}|${ATTRIBUTE})$` },
  several: 'commas',
  read: readMembers,
});
export const fields = /* @__PURE__ */ showing();

/** In the order of users; some of the attributes last. */
export type ShownUser = Pick<UserRepresentation, 'id'> & Partial<UserRepresentation>;

export function shownUser(user: ListedUser, { members }: Shows): ShownUser {
  const all = represent(user);
  if (!members) return all;
  const among = (values: object, prefix = '') =>
    Object.fromEntries(Object.entries(values).filter(([name]) => members.includes((prefix + name) as Member)));
  const some = attributesOf(among(all.attributes ?? {}, 'attributes.'));
  return { ...among(all), ...(some && !members.includes('attributes') && { attributes: some }) } as ShownUser;
}
