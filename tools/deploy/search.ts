/** The part of a stage whose lists come from OpenSearch, in a domain that stacks/search.yml makes. */
import { LISTS, type Lists } from './bundle.ts';
import type { Permission, PermissionWord } from './permissions.ts';

export interface OpenSearch {
  url: string;
  /** Of the domain. */
  arn: string;
}

/** Why a stage cannot be deployed with these settings. */
export function refusalOfLists(stage: string, lists: Lists, { url, arn }: OpenSearch): string | undefined {
  if (!LISTS.includes(lists)) return `Stage ${stage} has lists of ${lists}: set ${LISTS.join(' or ')}.`;
  const isNamed = url.startsWith('https://') && arn.startsWith('arn:');
  if (lists === 'replica' || isNamed) return undefined;
  const where = 'the outputs of the stack of tools/deploy/stacks/search.yml';
  return `Stage ${stage} has lists of opensearch: set openSearchUrl and openSearchArn to ${where}.`;
}

/** The calls that functions may send to the domain: those that list ask it, and the fold fills it. */
export function searchPermissions(words: readonly PermissionWord[], { arn }: OpenSearch): Permission[] {
  const may = (method: string, ...paths: string[]): Permission => ({
    Action: [`es:ESHttp${method}`],
    Resource: paths.map((path) => `${arn}/${path}`),
  });
  const lists = [
    may('Post', '*/_search', '*/_search/point_in_time', '_search'),
    may('Delete', '_search/point_in_time'),
  ];
  const fills = ['Get', 'Head', 'Post', 'Put', 'Delete'].map((method) => may(method, '*'));
  return [...(words.includes('readLists') ? lists : []), ...(words.includes('fold') ? fills : [])];
}
